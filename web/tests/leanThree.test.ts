// The shaders of the built page lose what is never switched on, and nothing else.
import { ShaderChunk } from 'three';
import { expect, it } from 'vitest';
import { lean } from '../plugins/leanThree';

const lines = (...list: string[]): string => `${list.join('\n')}\n`;

it('branches that are never taken go, their else stays', () => {
  expect(lean('#ifdef USE_SHEEN\n\ta;\n#else\n\tb;\n#endif\nc;')).toBe(lines('b;', 'c;'));
  expect(lean('#ifndef USE_SHEEN\n\ta;\n#else\n\tb;\n#endif')).toBe(lines('a;'));
  expect(lean('#if defined( USE_SHEEN ) && defined( USE_MAP )\na;\n#endif\nb;')).toBe(lines('b;'));
  expect(lean('#if defined( USE_SHEEN ) || defined( USE_FOG )\na;\n#endif\nb;')).toBe(lines('b;'));
  expect(lean('#ifdef USE_SHEEN\n#ifdef USE_MAP\na;\n#endif\nb;\n#endif\nc;')).toBe(lines('c;'));
});

it('what may be taken stays as it is, without comments and indents', () => {
  const kept = lines('#ifdef USE_MAP', 'a;', '#else', 'b;', '#endif');
  expect(lean('#ifdef USE_MAP\n\t// yes\n\ta; /* so */\n#else\n\tb;\n#endif')).toBe(kept);
  for (const condition of [
    'defined( USE_SHEEN ) || defined( USE_MAP )',
    '( NUM_LIGHTS > 0 )',
    'defined( A ) && ! defined( USE_SHEEN )',
  ])
    expect(lean(`#if ${condition}\na;\n#endif`)).toBe(lines(`#if ${condition}`, 'a;', '#endif'));
  const chain = lines('#if A == 1', 'a;', '#elif A == 2', 'b;', '#else', 'c;', '#endif', 'd;');
  expect(lean(chain)).toBe(chain);
});

it.each(Object.keys(ShaderChunk))('%s keeps its balance', (name) => {
  const text = lean(ShaderChunk[name as keyof typeof ShaderChunk]);
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  expect(count(/^#\s*if/gm)).toBe(count(/^#\s*endif/gm));
  expect(count(/\{/g)).toBe(count(/\}/g));
  expect(text).not.toMatch(/USE_(SHEEN|CLEARCOAT|IRIDESCENCE)\b(?! \))/);
});
