// Runs that end: play and step start them again, loops, and static scenes, whose load steps are shown, kept and pulled.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Reply, Request, SnapshotReply, StatusReply } from '../src/engine/protocol';
import { Runner } from '../src/engine/runner';
import { fakeEngine } from './fakeEngine';

let clock = 0;
let replies: Reply[] = [];
let runner: Runner;

const ask = (request: Request): void => runner.handle(request);
const snapshots = (): SnapshotReply[] => replies.filter((r) => r.type === 'snapshot');
const statuses = (): StatusReply[] => replies.filter((r) => r.type === 'status');
const status = (): StatusReply => statuses().at(-1) as StatusReply;
const load = (scene: object, play = true): void =>
  ask({ type: 'load', id: 1, text: JSON.stringify(scene), set: {}, play });
const pass = (seconds: number, turn = 0.016): void => {
  for (let t = 0; t < seconds; t += turn) {
    clock += turn;
    runner.tick();
    for (const reply of snapshots()) {
      if (returned.has(reply)) continue;
      returned.add(reply);
      ask({ type: 'recycle', buffer: reply.buffer });
    }
  }
};
let returned: Set<Reply>;
/** Times of the probe rows since the history began. */
const history = (): number[] => {
  const all: number[] = [];
  for (const { rows, fresh } of snapshots()) {
    if (fresh) all.length = 0;
    for (let i = 0; i < rows.length; i += 6) all.push(rows[i]);
  }
  return all;
};

beforeEach(() => {
  clock = 100;
  replies = [];
  returned = new Set();
  fakeEngine.made.length = 0;
  runner = new Runner(fakeEngine, { now: () => clock, post: (reply) => replies.push(reply) });
});

describe('at the end of a run', () => {
  it('play starts it again from the start', () => {
    load({ duration: 0.5 });
    pass(1);
    expect(status()).toMatchObject({ finished: true, playing: false });
    ask({ type: 'play' });
    pass(0.1);
    expect(status().playing).toBe(true);
    expect(status().time).toBeLessThan(0.2);
  });

  it('step is its first one, from the start', () => {
    load({ duration: 0.5 });
    pass(1);
    ask({ type: 'step' });
    expect(status().time).toBeCloseTo(0.01);
    expect(status()).toMatchObject({ playing: false, finished: false, steps: 1 });
    pass(0.1);
    expect(history()).toEqual([0, 0.01]);
  });

  it('after a give-up play starts it again, and goes on where something was changed', () => {
    load({ giveUpAt: 0.3 });
    pass(1);
    expect(status()).toMatchObject({ playing: false });
    expect(status().time).toBeCloseTo(0.3);
    ask({ type: 'play' });
    expect(status()).toMatchObject({ playing: true, time: 0 });
    pass(1);
    ask({ type: 'set', name: 'E', value: 3e6 });
    ask({ type: 'play' });
    expect(status().time).toBeCloseTo(0.3);
  });

  it('loops if asked: its end is seen for a while, then it starts again', () => {
    ask({ type: 'loop', value: true });
    load({ duration: 0.5 });
    pass(0.7);
    expect(status()).toMatchObject({ finished: true, playing: true });
    pass(1);
    expect(status()).toMatchObject({ finished: false, playing: true });
    pass(4.6);
    expect(statuses().filter(({ finished }) => finished).length).toBeGreaterThanOrEqual(4);
    ask({ type: 'loop', value: false });
    pass(3);
    expect(status()).toMatchObject({ finished: true, playing: false });
    ask({ type: 'loop', value: true });
    expect(status()).toMatchObject({ finished: false, playing: true });
  });

  it('a pause ends the rest of a loop', () => {
    ask({ type: 'loop', value: true });
    load({ duration: 0.5 });
    pass(0.7);
    ask({ type: 'pause' });
    pass(5);
    expect(status()).toMatchObject({ finished: true, playing: false });
  });
});

describe('a static scene', () => {
  it('shows its load steps one after the other, from the unloaded state', () => {
    load({ loads: 10 });
    pass(0.4);
    expect(status()).toMatchObject({ time: 0, playing: true, finished: false });
    const seen: number[] = [];
    for (let i = 0; i < 40; ++i) {
      pass(0.1);
      if (seen.at(-1) !== status().time) seen.push(status().time);
    }
    expect(seen).toHaveLength(11);
    expect(status()).toMatchObject({ finished: true, playing: false });
  });

  it('of one load step shows the unloaded state first', () => {
    load({ loads: 1 });
    pass(0.4);
    expect(status()).toMatchObject({ time: 0, finished: false });
    pass(0.4);
    expect(status().finished).toBe(true);
  });

  it('is solved at once where it need not be shown: less motion, and another value', () => {
    load({ loads: 10 }, false);
    pass(0.05);
    expect(status()).toMatchObject({ finished: true, playing: false });
    ask({ type: 'set', name: 'E', value: 3e6 });
    pass(0.05);
    expect(status()).toMatchObject({ finished: true, playing: false });
  });

  it('is taken back and forth by its load, with the history up to there', () => {
    load({ loads: 10 }, false);
    pass(0.1);
    ask({ type: 'seek', time: 0.42 });
    pass(0.1);
    expect(status().time).toBeCloseTo(0.4);
    expect(status()).toMatchObject({ playing: false, finished: false });
    expect(snapshots().at(-1)).toMatchObject({ sought: true, fresh: true, jump: false });
    expect(history()).toHaveLength(5);
    ask({ type: 'seek', by: 1 });
    pass(0.1);
    expect(status().time).toBeCloseTo(0.5);
    ask({ type: 'seek', by: -1 });
    ask({ type: 'seek', by: -1 });
    expect(status().time).toBeCloseTo(0.3);
    ask({ type: 'seek', time: 1 });
    pass(0.1);
    expect(status()).toMatchObject({ finished: true });
    expect(history()).toHaveLength(11);
  });

  it('solves up to a load that has not been reached yet', () => {
    load({ loads: 10 });
    pass(0.4);
    ask({ type: 'seek', time: 0.68 });
    pass(0.1);
    expect(status().time).toBeCloseTo(0.7);
    expect(status()).toMatchObject({ playing: false });
  });

  it('keeps the load that was chosen when a value changes', () => {
    load({ loads: 10 }, false);
    pass(0.1);
    ask({ type: 'seek', time: 0.4 });
    ask({ type: 'set', name: 'E', value: 3e6 });
    pass(0.1);
    expect(status().time).toBeCloseTo(0.4);
    expect(status().playing).toBe(false);
  });

  it('stands as it was after a value that is refused, and a good one runs to the full load', () => {
    load({ loads: 10 }, false);
    pass(0.1);
    const before = history().length;
    ask({ type: 'set', name: 'E', value: -1, play: true });
    pass(0.1);
    expect(status()).toMatchObject({ finished: true, playing: false });
    expect(history()).toHaveLength(before);
    ask({ type: 'play' });
    pass(1.5);
    expect(status().time).toBeGreaterThan(0);
    expect(status()).toMatchObject({ finished: false, playing: true });
    ask({ type: 'set', name: 'E', value: 3e6, play: true });
    pass(0.1);
    expect(status()).toMatchObject({ finished: true, playing: false });
  });

  it('keeps the load that it is on its way to when a value changes', () => {
    load({ loads: 10 }, false);
    pass(0.5);
    ask({ type: 'seek', time: 0 });
    ask({ type: 'set', name: 'E', value: 2.5e6 });
    ask({ type: 'seek', time: 0.7 });
    ask({ type: 'set', name: 'E', value: 3e6 });
    pass(0.5);
    expect(status().time).toBeCloseTo(0.7);
    expect(status().playing).toBe(false);
  });

  it('can be pulled when it is solved, and goes back when it is let go', () => {
    load({ loads: 10 }, false);
    pass(0.1);
    const [sim] = fakeEngine.made;
    const before = history().length;
    ask({ type: 'grab', point: 3, target: [0, 0, 1] });
    pass(0.1);
    expect(sim.grabbed).toEqual([3, [0, 0, 1]]);
    expect(history().length).toBe(before + 1);
    expect(status()).toMatchObject({ finished: true, playing: false });
    ask({ type: 'grab', point: 3, target: [0, 0, 2] });
    pass(0.1);
    expect(sim.grabbed).toEqual([3, [0, 0, 2]]);
    ask({ type: 'release' });
    pass(0.1);
    expect(sim.grabbed).toBeNull();
    expect(history().length).toBe(before);
  });

  it('says so where it cannot follow a pull, and stays as it was', () => {
    load({ loads: 10 }, false);
    pass(0.1);
    const [sim] = fakeEngine.made;
    sim.refusesGrab = true;
    ask({ type: 'grab', point: 3, target: [0, 0, 1] });
    pass(0.1);
    const said = replies.flatMap((r) => (r.type === 'retried' ? r.messages : []));
    expect(said).toEqual(['It does not follow that far: no balance was found.']);
    expect(replies.some(({ type }) => type === 'gaveUp')).toBe(false);
    expect(status()).toMatchObject({ finished: true });
  });

  it('loops as well', () => {
    ask({ type: 'loop', value: true });
    load({ loads: 4 });
    pass(10);
    expect(statuses().filter(({ finished, playing }) => finished && playing).length).toBeGreaterThan(1);
  });
});
