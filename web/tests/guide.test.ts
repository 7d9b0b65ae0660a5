// The guide: Markdown's blocks, and that every page, link, heading and picture of the project's guide exists.
import { describe, expect, it } from 'vitest';
import { findPage, pages, pictureAddress, target } from '../src/guide/pages';
import { anchor, blocks } from '../src/text/blocks';

describe('blocks', () => {
  it('are told apart, with and without empty lines between them', () => {
    const text =
      '# A `b`\nOne\ntwo.\n- x\n  more\n- y\n\n1. first\n\n2. second\n\n```json\n{\n\n# no heading\n```\nEnd.';
    expect(blocks(text)).toEqual([
      { kind: 'heading', level: 1, text: 'A `b`', id: 'a-b' },
      { kind: 'paragraph', text: 'One two.' },
      { kind: 'list', ordered: false, items: ['x more', 'y'] },
      { kind: 'list', ordered: true, items: ['first', 'second'] },
      { kind: 'code', language: 'json', text: '{\n\n# no heading' },
      { kind: 'paragraph', text: 'End.' },
    ]);
  });

  it('of a table are its cells', () => {
    expect(blocks('| a | b |\n| --- | --- |\n| `x` | |\n| p \\| q | r |\n\nafter')).toEqual([
      {
        kind: 'table',
        head: ['a', 'b'],
        rows: [
          ['`x`', ''],
          ['p | q', 'r'],
        ],
      },
      { kind: 'paragraph', text: 'after' },
    ]);
  });

  it('of a fence without an end is all the rest', () => {
    expect(blocks('```\na\n')).toEqual([{ kind: 'code', language: '', text: 'a\n' }]);
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
        const headings = blocks(findPage(goal?.page ?? '')?.text ?? '').flatMap((b) =>
          b.kind === 'heading' ? [b.id] : [],
        );
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
