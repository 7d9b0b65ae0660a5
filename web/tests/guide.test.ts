// Markdown, formulas, and that every page, link, heading and picture of the project's guide exists.
import { marked as reader, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { findPage, pages, pictureAddress, target } from '../src/guide/pages';
import { anchor, isOutside, tokensOf } from '../src/text/markdown';
import { markupOf } from '../src/text/mathml';

const every = (text: string): Tokens.Generic[] => {
  const found: Tokens.Generic[] = [];
  reader.walkTokens(tokensOf(text), (token) => void found.push(token));
  return found;
};
const typed = (text: string, type: string): Tokens.Generic[] => every(text).filter((token) => token.type === type);

describe('Markdown', () => {
  it('has formulas between dollar signs, in a line or in one of their own, and leaves prices alone', () => {
    expect(typed('With $a_1*b*c$ and $|x|$.', 'formula').map((token) => token.text)).toEqual(['a_1*b*c', '|x|']);
    expect(typed('$$ x^2 $$', 'formula')).toMatchObject([{ text: 'x^2', display: true }]);
    expect(typed('| a |\n| --- |\n| $b^2$ |', 'formula')).toMatchObject([{ text: 'b^2', display: false }]);
    expect(typed('from $5 to $6, or `$a$`, or $ a $', 'formula')).toEqual([]);
  });

  it('knows HTML from text, so that it can be shown as text', () => {
    const tokens = every('A <img src=x onerror=alert(1)> b.\n\n<script>alert(1)</script>\n');
    expect(tokens.filter(({ type }) => type === 'html').map(({ raw }) => raw.trim())).toEqual([
      '<img src=x onerror=alert(1)>',
      '<script>alert(1)</script>',
    ]);
  });

  it('lets links leave the page for other sites and for mail alone', () => {
    const targets = [
      'https://a.b',
      'HTTP://a.b',
      'mailto:a@b.c',
      'javascript:alert(1)',
      'data:text/html,x',
      '//a.b',
      'x.md',
    ];
    expect(targets.filter(isOutside)).toEqual(targets.slice(0, 3));
  });
});

describe('formulas', () => {
  it('become MathML', () => {
    expect(markupOf('\\frac{a}{2}', false)).toMatch(/^<math.*<mfrac>.*<mi>a<\/mi><mn>2<\/mn><\/mfrac>.*<\/math>$/);
    expect(markupOf('x', true)).toContain('display="block"');
  });

  it('that cannot be read, or want more than to be shown, are left to be shown as they are written', () => {
    expect(markupOf('\\frac{a', false)).toBe('');
    expect(markupOf('\\nosuchcommand', false)).toBe('');
    expect(markupOf('\\href{javascript:alert(1)}{x}', false)).not.toContain('href=');
    expect(markupOf('\\includegraphics{https://a.b/c.png}', false)).not.toContain('src=');
    expect(markupOf('\\def\\a{\\a\\a}\\a', false)).toBe('');
  });

  it('of the guide can all be set', () => {
    const sources = pages.flatMap(({ text }) => typed(text, 'formula').map((token) => token.text as string));
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.filter((source) => markupOf(source, false) === '')).toEqual([]);
  });
});

describe('the guide', () => {
  it('begins with its index and names its pages by their titles', () => {
    expect(pages[0].id).toBe('index');
    expect(pages.length).toBeGreaterThan(8);
    for (const { title, id } of pages) expect(title, id).toMatch(/^[A-Z]/);
  });

  it('has no link that leads nowhere and no picture that is missing', () => {
    let links = 0;
    for (const { id, text } of pages) {
      const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '`');
      for (const [, mark, link] of prose.matchAll(/(!?)\[[^\]]+\]\(([^)]+)\)/g)) {
        links += 1;
        if (/^https?:/.test(link)) continue;
        if (mark) {
          expect(pictureAddress(link), `${id}: ${link}`).toMatch(/^data:image\/svg\+xml,/);
          continue;
        }
        const goal = target(link, id);
        expect(goal, `${id}: ${link}`).not.toBeNull();
        const headings = typed(findPage(goal?.page ?? '')?.text ?? '', 'heading').map((one) => anchor(one.text));
        if (goal?.heading) expect(headings, `${id}: ${link}`).toContain(goal.heading);
      }
    }
    expect(links).toBeGreaterThan(20);
  });

  it('knows no page outside of it', () => {
    expect(target('../README.md', 'index')).toBeNull();
    expect(target('javascript:alert(1)', 'index')).toBeNull();
    expect(target('none.md', 'index')).toBeNull();
    expect(anchor('Same input, same numbers')).toBe('same-input-same-numbers');
  });
});
