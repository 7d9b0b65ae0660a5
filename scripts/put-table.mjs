// Replaces the first table behind a heading of a Markdown file by the one on standard input.
// Usage: node scripts/put-table.mjs FILE HEADING < TABLE
import { readFileSync, writeFileSync } from 'node:fs';

const [file, heading, ...more] = process.argv.slice(2);
if (!heading || more.length > 0) {
  console.error('Usage: node scripts/put-table.mjs FILE HEADING < TABLE');
  process.exit(2);
}
const table = readFileSync(0, 'utf8').trim();
if (!table.startsWith('|')) throw new Error(`no table came for "${heading}"`);
const lines = readFileSync(file, 'utf8').split('\n');
const at = lines.indexOf(`## ${heading}`);
if (at < 0) throw new Error(`${file} has no heading "## ${heading}"`);
const rest = lines.slice(at + 1);
const section = rest.findIndex((line) => line.startsWith('## '));
const first = rest.findIndex((line) => line.startsWith('|'));
if (first < 0 || (section >= 0 && section < first))
  throw new Error(`${file} has no table below "## ${heading}" to replace`);
const length = rest.slice(first).findIndex((line) => !line.startsWith('|'));
lines.splice(at + 1 + first, length < 0 ? rest.length - first : length, table);
writeFileSync(file, lines.join('\n'));
