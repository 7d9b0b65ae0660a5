// Checks in fresh runs, geometry texts, and values written into a scene's text.
import type { CheckRun } from '@tendril/engine';
import { beforeEach, describe, expect, it } from 'vitest';
import { CheckRuns } from '../src/engine/checkRuns';
import { isGeometry } from '../src/engine/geometry';
import type { Reply } from '../src/engine/protocol';
import { Runner } from '../src/engine/runner';
import { withValues } from '../src/text/textEdits';
import { fakeEngine } from './fakeEngine';

const checks = [
  { title: 'a' },
  { title: 'no b', points: 2, with: { E: 1e6 } },
  { title: 'a', with: { E: 1e6 } },
  { title: 'c', with: { length: 0.5 } },
];

const runsOf = (text: string): CheckRun[] => {
  const sim = fakeEngine.simulation(text);
  sim.dispose();
  fakeEngine.made.length = 0;
  return sim.info().checkRuns;
};

describe('all checks', () => {
  beforeEach(() => {
    fakeEngine.made.length = 0;
  });

  it('share a run where their values are equal, and every simulation is freed', () => {
    const text = JSON.stringify({ duration: 0.2, checks });
    const runs = new CheckRuns(fakeEngine, text, runsOf(text));
    expect(runs.progress).toMatchObject({ running: true, done: 0, total: 3, verdicts: [null, null, null, null] });
    for (let i = 0; i < 10 && runs.progress.running; ++i) runs.slice(10);
    expect(runs.progress.verdicts.map((v) => v?.passed)).toEqual([true, false, true, true]);
    expect(fakeEngine.made.map((sim) => sim.disposed)).toEqual([true, true, true]);
  });

  it('that were not decided have failed, and say why', () => {
    const text = JSON.stringify({
      duration: 0.2,
      giveUpAt: 0.1,
      checks: [...checks, { title: 'x', with: { zero: 1 } }],
    });
    const runs = new CheckRuns(fakeEngine, text, runsOf(text));
    while (runs.progress.running) runs.slice(10);
    const { verdicts } = runs.progress;
    expect(verdicts[0]).toMatchObject({ passed: false, reason: expect.stringMatching(/gave up: no convergence/) });
    expect(verdicts[4]).toMatchObject({ passed: false, reason: expect.stringMatching(/no parameter "zero"/) });
  });

  it('run beside the scene on screen and can be stopped', () => {
    const replies: Reply[] = [];
    let clock = 0;
    const runner = new Runner(fakeEngine, { now: () => clock, post: (reply) => replies.push(reply) });
    const text = JSON.stringify({ duration: 0.2, checks });
    runner.handle({ type: 'load', id: 1, text, set: {}, play: true });
    const told = (): Reply | undefined => replies.filter((r) => r.type === 'checks').at(-1);
    expect(told()).toMatchObject({ verdicts: [null, null, null, null] });
    for (let i = 0; i < 40; ++i) {
      clock += 0.016;
      runner.tick();
    }
    expect(told()).toMatchObject({ verdicts: [{ passed: true }, null, null, null] });
    expect(runner.wait()).toBeNull();
    runner.handle({ type: 'runChecks', text });
    expect(runner.wait()).toBe(0);
    runner.tick();
    runner.handle({ type: 'stopChecks' });
    expect(replies.at(-1)).toMatchObject({ type: 'checkRuns', running: false });
    expect(runner.wait()).toBeNull();
    expect(fakeEngine.made.slice(1).every((sim) => sim.disposed)).toBe(true);
    runner.handle({ type: 'runChecks', text });
    for (let i = 0; i < 20; ++i) runner.tick();
    expect(replies.at(-1)).toMatchObject({ type: 'checkRuns', running: false, done: 3, total: 3 });
  });
});

describe('geometry texts', () => {
  it('are known by their first mark', () => {
    for (const text of [
      '*Nodes\n',
      '# a\r\n\n#b\n *Nodes',
      '\uFEFF*Nodes',
      '#*\n*Nodes',
      '# made by hand\no plate\nv 0 0 0',
      'v 1 2 3\r\n',
      'mtllib a.mtl',
      's off',
    ]) {
      expect(isGeometry(text), text).toBe(true);
    }
    for (const text of [
      '{"a": 1}',
      '// *\n{}',
      '/* *Nodes */ {}',
      '',
      '# *Nodes',
      '#a',
      'x\n*',
      'vertex',
      'void',
      'vx 1',
    ]) {
      expect(isGeometry(text), text).toBe(false);
    }
    expect(isGeometry(`${'# \n'.repeat(20000)}x`)).toBe(false);
  });

  it('load as the scene they become, or are refused with their problems', () => {
    const replies: Reply[] = [];
    const runner = new Runner(fakeEngine, { now: () => 0, post: (reply) => replies.push(reply) });
    runner.handle({ type: 'load', id: 1, text: '*Nodes\n*Edges\n', set: {}, play: false });
    expect(replies.find((r) => r.type === 'loaded')).toMatchObject({
      text: '{"title": "Imported"}',
      info: { title: 'Imported' },
    });
    runner.handle({ type: 'load', id: 2, text: '*Nodes\n', set: {}, play: false });
    expect(replies.at(-1)).toMatchObject({ type: 'refused', text: '*Nodes\n', problems: [{ line: 3 }] });
    runner.handle({ type: 'validate', id: 3, text: '*Nodes\n' });
    expect(replies.at(-1)).toMatchObject({ type: 'validated', problems: [{ message: 'no edges' }] });
  });
});

describe('values in a text', () => {
  const text = `{ // "parameters": {"E": 1}
  "title": "\\"parameters\\": {", "rods": {"parameters": {"E": 5}},
  "parameters": {
    "L": 0.1, /* E: */ "E": {"min": 1, "label": "value: {", "value" : 2e6, "max": 1e9},
    "k": -3.5
  }
}`;

  it('take the place of those that stood there, and nothing else changes', () => {
    const out = withValues(text, { E: 3e6, k: 1e-7, L: 0.25 });
    expect(out).toBe(text.replace('2e6', '3000000').replace('-3.5', '1e-7').replace('"L": 0.1', '"L": 0.25'));
    expect(withValues(text, {})).toBe(text);
  });

  it('need a place', () => {
    expect(withValues(text, { none: 1 })).toBeNull();
    expect(withValues('{}', { E: 1 })).toBeNull();
    expect(withValues('{"parameters": {"E": {"min": 1}}}', { E: 1 })).toBeNull();
  });
});
