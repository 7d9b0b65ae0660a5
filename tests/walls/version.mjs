// One version, in CMakeLists.txt: what else has to state it (package files, the changelog, commands in the guide) agrees.
const owner = /^project\(tendril VERSION (\d+\.\d+\.\d+) /m;

// By file: what finds a version there. A wanted version of find_package leaves out the last number.
const rules = [
  [/^CHANGELOG\.md$/, /^## (\S+)/m, 'the first heading'],
  [/^CITATION\.cff$/, /^version: "?([^"\s]+)/m, 'the version'],
  [/^(?:web|tests\/browser)\/package(?:-lock)?\.json$/, /^ {2}"version": "([^"]+)"/m, 'the version'],
  [/^(?:web|tests\/browser)\/package-lock\.json$/, /^ {6}"version": "([^"]+)"/m, 'the version of the root package'],
  [/\.(?:md|mjs|ts|yml|sh)$/, /tendril-engine-(\d+\.\d+\.\d+)\.tgz/g, 'a packed module'],
  [/\.md$|CMakeLists\.txt$/, /find_package\(tendril (\d+\.\d+)\b/g, 'a wanted package'],
];

/**
 * Every version that differs from that of CMakeLists.txt, as "file: what".
 * @param {Map<string, string>} texts by path
 */
export function checkVersions(texts) {
  const version = owner.exec(texts.get('CMakeLists.txt') ?? '')?.[1];
  if (!version) return ['CMakeLists.txt: states no version'];
  const found = [];
  for (const [file, text] of texts) {
    for (const [name, pattern, what] of rules) {
      if (!name.test(file)) continue;
      const stated = pattern.global ? [...text.matchAll(pattern)] : [pattern.exec(text)];
      for (const match of stated) {
        if (!match) found.push(`${file}: ${what} is missing`);
        else if (match[1] !== version && !(pattern.global && version.startsWith(`${match[1]}.`))) {
          found.push(`${file}: ${what} is ${match[1]}, but the project is ${version}: it is set in CMakeLists.txt`);
        }
      }
    }
  }
  return found;
}
