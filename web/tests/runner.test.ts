// The worker's runner against a double of the engine: the protocol, pacing, two buffers, give-ups, save and restore.
import type { SceneInfo } from '@tendril/engine';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Reply, Request, SnapshotReply, StatusReply } from '../src/engine/protocol';
import { Runner } from '../src/engine/runner';
import { clock as engineClock, fakeEngine } from './fakeEngine';

let clock = 0;
let replies: Reply[] = [];
let runner: Runner;

const ask = (request: Request): void => runner.handle(request);
const all = <K extends Reply['type']>(type: K): Extract<Reply, { type: K }>[] =>
  replies.filter((r): r is Extract<Reply, { type: K }> => r.type === type);
const last = <K extends Reply['type']>(type: K): Extract<Reply, { type: K }> => {
  const found = all(type).at(-1);
  if (!found) throw new Error(`no ${type}`);
  return found;
};
const load = (scene: object = {}, set: Record<string, number> = {}, play = false): void =>
  ask({ type: 'load', id: 1, text: JSON.stringify(scene), set, play });
const giveBack = (): void => {
  for (const { buffer } of all('snapshot')) ask({ type: 'recycle', buffer });
};
/** Wall time passes, in turns of `turn` seconds. */
const pass = (seconds: number, turn = 0.016): void => {
  for (let t = 0; t < seconds; t += turn) {
    clock += turn;
    runner.tick();
    const sent = replies.filter((r): r is SnapshotReply => r.type === 'snapshot' && !returned.has(r));
    for (const reply of sent) {
      returned.add(reply);
      ask({ type: 'recycle', buffer: reply.buffer });
    }
  }
};
let returned: Set<Reply>;

beforeEach(() => {
  clock = 100;
  replies = [];
  returned = new Set();
  fakeEngine.made.length = 0;
  runner = new Runner(fakeEngine, { now: () => clock, post: (reply) => replies.push(reply) });
});

describe('loading', () => {
  it('answers with what is known of the scene and its first state', () => {
    load({ title: 'One', bars: 1 });
    const { info, drawing, id } = last('loaded');
    expect(id).toBe(1);
    expect(info.title).toBe('One');
    expect(info.columns.map(({ unit }) => unit)).toEqual(['m', 'm', 'm', 'J', 'J']);
    expect(drawing.parts).toHaveLength(1);
    const snapshot = last('snapshot');
    expect(snapshot).toMatchObject({ time: 0, counts: { points: 31 }, jump: true, fresh: true });
    expect(snapshot.buffer.byteLength).toBe(31 * 6 * 4);
    expect(snapshot.rows).toHaveLength(6);
  });

  it('of a bad scene tells the problems and keeps the one before', () => {
    load({ title: 'Good' });
    ask({ type: 'load', id: 2, text: '{"title": ', set: {}, play: true });
    expect(last('refused')).toMatchObject({ id: 2, text: '{"title": ' });
    expect(last('refused').problems).toHaveLength(1);
    ask({ type: 'step' });
    expect(last('status').time).toBeCloseTo(0.01);
    expect(fakeEngine.made[0].disposed).toBe(false);
  });

  it('with a value that it does not know goes without it', () => {
    load({});
    ask({ type: 'load', id: 3, text: '{}', set: { nonsense: 1 }, play: false });
    expect(last('loaded')).toMatchObject({ id: 3, left: [{ name: 'nonsense', known: false }] });
    expect(replies.some(({ type }) => type === 'refused')).toBe(false);
  });

  it('frees the scene before', () => {
    load({});
    load({});
    expect(fakeEngine.made.map((sim) => sim.disposed)).toEqual([true, false]);
  });
});

describe('pace', () => {
  it('keeps to real time', () => {
    load({}, {}, true);
    pass(2);
    expect(last('status').factor).toBeCloseTo(1, 1);
    expect(last('status').limited).toBe(false);
    ask({ type: 'pause' });
    expect(last('status').time).toBeCloseTo(2, 1);
  });

  it('keeps to the speed asked for', () => {
    load({ duration: 100 });
    ask({ type: 'speed', value: 5 });
    ask({ type: 'play' });
    pass(2);
    ask({ type: 'pause' });
    expect(last('status').time).toBeCloseTo(10, 0);
  });

  it('gives a row for every step of an ordinary run', () => {
    load({}, {}, true);
    pass(1);
    ask({ type: 'pause' });
    const rows = all('snapshot').reduce((sum, s) => sum + s.rows.length / 6, 0);
    expect(rows).toBe(last('status').steps + 1);
  });

  it('does not race after a pause of the machine', () => {
    load({}, {}, true);
    clock += 60;
    runner.tick();
    expect(last('status').time).toBeLessThan(0.2);
  });

  /** Wall time in which the page is busy and takes no moment. */
  const busy = (seconds: number): void => {
    for (let t = 0; t < seconds; t += 0.016) {
      clock += Math.max(0.016, (runner.wait() ?? 0) / 1000);
      runner.tick();
    }
  };

  it('waits for a page that is busy drawing, and goes on from there', () => {
    load({ duration: 100 }, {}, true);
    pass(1);
    ask({ type: 'pause' });
    const before = last('status').time;
    ask({ type: 'play' });
    busy(3);
    ask({ type: 'pause' });
    expect(last('status').time, 'the clock tells what the page was sent').toBe(last('snapshot').time);
    giveBack();
    expect(last('status').time).toBe(last('snapshot').time);
    const after = last('status').time;
    expect(after - before).toBeGreaterThan(0.1);
    expect(after - before).toBeLessThan(0.35);
    ask({ type: 'play' });
    pass(1);
    ask({ type: 'pause' });
    expect(last('status').time - after).toBeGreaterThan(0.9);
  });

  it('tells its end with its last state', () => {
    load({ duration: 0.5 }, {}, true);
    pass(0.4);
    busy(2);
    expect(last('snapshot').time).toBeLessThan(0.5);
    expect(last('status')).toMatchObject({ finished: false, playing: true, time: last('snapshot').time });
    giveBack();
    busy(0.1);
    giveBack();
    expect(last('snapshot').time).toBe(0.5);
    expect(last('status')).toMatchObject({ finished: true, playing: false, time: 0.5 });
  });

  it('tells the pace that a slow page leaves it, waits and all', () => {
    load({ duration: 100 }, {}, true);
    const begun = last('status').time;
    const from = clock;
    // Moments come back once a second.
    for (let k = 0; k < 8; ++k) {
      busy(1);
      giveBack();
    }
    const mean = (last('status').time - begun) / (clock - from);
    const told = all('status').filter(({ factor }) => !Number.isNaN(factor));
    expect(told.length).toBeGreaterThan(5);
    for (const { factor } of told) expect(factor / mean).toBeGreaterThan(0.5);
    for (const { factor } of told.slice(5)) expect(factor / mean).toBeLessThan(2);
    expect(told.at(-1)?.limited).toBe(true);
  });

  it('waits for nobody where it runs as fast as possible', () => {
    load({ duration: 100 });
    ask({ type: 'speed', value: Infinity });
    ask({ type: 'play' });
    busy(1);
    expect(last('status').time).toBeGreaterThan(2);
  });

  it('stops at the end and starts anew on play', () => {
    load({ duration: 0.5 }, {}, true);
    pass(1);
    expect(last('status')).toMatchObject({ finished: true, playing: false });
    expect(runner.wait()).toBeNull();
    ask({ type: 'play' });
    expect(last('status')).toMatchObject({ finished: false, playing: true, steps: 0 });
  });

  it('returns to messages between slices when the solver is too slow, and says so', () => {
    // A machine that does nothing else.
    let now = 0;
    const own = { ...engineClock };
    Object.assign(engineClock, { now: () => now, spend: (time: number) => (now += time) });
    runner = new Runner(fakeEngine, { now: () => now / 1000, post: (reply: Reply) => replies.push(reply) });
    load({ cost: 0.03 }, {}, true);
    let longest = 0;
    while (now < 900) {
      const before = now;
      runner.tick();
      giveBack();
      longest = Math.max(longest, now - before);
      now += 0.1;
    }
    Object.assign(engineClock, own);
    expect(longest).toBeCloseTo(30, 6);
    const status = all('status')
      .filter((s: StatusReply) => !Number.isNaN(s.factor))
      .at(-1);
    expect(status?.limited).toBe(true);
    expect(status?.factor).toBeGreaterThan(0.1);
    expect(status?.factor).toBeLessThan(0.5);
  });
});

describe('snapshots', () => {
  it('never have more than two buffers under way, and lose no rows', () => {
    load({}, {}, true);
    for (let i = 0; i < 50; ++i) {
      clock += 0.016;
      runner.tick();
    }
    expect(all('snapshot')).toHaveLength(2);
    ask({ type: 'pause' });
    giveBack();
    const rows = all('snapshot').reduce((sum, s) => sum + s.rows.length / 6, 0);
    expect(rows).toBe(last('status').steps + 1);
  });

  it('carry the field that is asked for', () => {
    load({ bars: 1 });
    giveBack();
    ask({ type: 'field', field: 'energy' });
    expect(last('snapshot').field).toBe('energy');
    expect(last('snapshot').buffer.byteLength).toBe(31 * 7 * 4);
  });

  it('jump after a reset and not while running', () => {
    load({}, {}, true);
    pass(0.2);
    expect(last('snapshot').jump).toBe(false);
    ask({ type: 'reset' });
    expect(last('snapshot')).toMatchObject({ jump: true, fresh: true, time: 0 });
  });
});

describe('values that come with a scene', () => {
  it('are set where the scene takes them, and the others are named', () => {
    load({}, { E: 3e6, zz: 5, length: -1, load: 0.5 });
    const { info, left } = last('loaded');
    const value = (name: string): number | undefined =>
      info.parameters.find((p: SceneInfo['parameters'][0]) => p.name === name)?.value;
    expect([value('E'), value('length'), value('load')]).toEqual([3e6, 0.4, 0.5]);
    expect(left).toEqual([
      { name: 'zz', value: 5, known: false, message: 'there is no parameter "zz"' },
      { name: 'length', value: -1, known: true, message: '"length" must be positive' },
    ]);
    expect(fakeEngine.made.filter(({ disposed }) => !disposed)).toHaveLength(1);
  });

  it('do not hide what is wrong with the text', () => {
    ask({ type: 'load', id: 1, text: '{', set: { zz: 5 }, play: false });
    expect(last('refused').problems).toHaveLength(1);
  });
});

describe('steering', () => {
  it('sets a value at once or starts again, and says which', () => {
    load({}, {}, true);
    pass(1);
    ask({ type: 'set', name: 'E', value: 3e6 });
    expect(last('parameters').restarted).toBe(false);
    expect(last('status').time).toBeGreaterThan(0.9);
    const value = (name: string): number | undefined =>
      last('parameters').parameters.find((p: SceneInfo['parameters'][0]) => p.name === name)?.value;
    expect(value('E')).toBe(3e6);
    ask({ type: 'set', name: 'length', value: 0.5 });
    expect(last('parameters').restarted).toBe(true);
    expect(last('snapshot').fresh).toBe(true);
    // What is built anew may be drawn otherwise, though its revisions count from the start again.
    expect(last('snapshot').drawing).not.toBeNull();
    expect(last('status').playing).toBe(true);
  });

  it('tells why a value is refused', () => {
    load({});
    ask({ type: 'set', name: 'E', value: -1 });
    expect(last('setRefused')).toMatchObject({ name: 'E', value: -1, message: '"E" must be positive' });
  });

  it('begins a run that stands with a value that is to play, and not with one that is refused', () => {
    load({ duration: 0.5 }, {}, true);
    pass(1);
    expect(last('status')).toMatchObject({ finished: true, playing: false });
    ask({ type: 'set', name: 'E', value: -1, play: true });
    expect(last('status')).toMatchObject({ finished: true, playing: false });
    ask({ type: 'set', name: 'E', value: 3e6, play: true });
    expect(last('status')).toMatchObject({ finished: false, playing: true });
  });

  it('pulls and lets go', () => {
    load({});
    ask({ type: 'grab', point: 7, target: [1, 2, 3] });
    expect(fakeEngine.made[0].grabbed).toEqual([7, [1, 2, 3]]);
    ask({ type: 'release' });
    expect(fakeEngine.made[0].grabbed).toBeNull();
  });

  it('pauses on a give-up, with its words, and keeps the state', () => {
    load({ giveUpAt: 0.3 }, {}, true);
    pass(1);
    expect(last('gaveUp').message).toMatch(/no convergence/);
    expect(last('gaveUp').words).toBe('No convergence in 50 iterations.');
    expect(last('gaveUp').time).toBeCloseTo(0.3, 6);
    expect(last('gaveUp').repeats).toBe('');
    expect(last('status').playing).toBe(false);
  });

  it('names the warning that a give-up repeats, as it was posted', () => {
    load({ giveUpAt: 0.3, cut: 'a step of 0.123456789 s was cut' }, {}, true);
    pass(1);
    const posted = all('retried').flatMap(({ messages }) => messages);
    expect(posted).toEqual(['A step of 0.123457 s was cut.']);
    expect(last('gaveUp').repeats).toBe(posted[0]);
  });

  it('saves every second; a new runner goes on from there', () => {
    load({}, {}, true);
    pass(3.1);
    expect(all('saved').length).toBeGreaterThanOrEqual(3);
    const { bytes, time } = last('saved');
    runner = new Runner(fakeEngine, { now: () => clock, post: (reply) => replies.push(reply) });
    ask({ type: 'load', id: 9, text: '{}', set: {}, play: false, at: bytes });
    expect(last('status').time).toBe(time);
  });
});

describe('modes', () => {
  it('tells the modes about the state, with how far the points of the drawing go', () => {
    load();
    ask({ type: 'play' });
    pass(0.1);
    ask({ type: 'modes', count: 3 });
    const { modes, words, omitted, time } = last('modes');
    expect(omitted).toEqual(['the damping of contact']);
    expect(words).toBe('');
    expect(time).toBe(last('status').time);
    expect(last('status').playing).toBe(false);
    expect(modes.map(({ frequency }) => frequency)).toEqual([2.5]);
    const { away } = modes[0];
    expect(away).toHaveLength(last('loaded').rest.length);
    expect(away[0]).toBeCloseTo(0, 6);
    expect(away[2]).toBeCloseTo(1, 2);
  });

  it('says why there are none', () => {
    load({}, { load: 2 });
    ask({ type: 'modes', count: 3 });
    expect(last('modes')).toMatchObject({ modes: [], words: 'This state is no equilibrium: let it come to rest.' });
  });
});
