// Vines on the page: contacts of any number travel, drawings grow within a run, bodies keep their length, tips paint
// dashes, arrows have a scale that can be said, keys play, and dragged obstacles change the scene's text.
import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { bytesOf, viewsOf } from '../src/engine/moment';
import type { Reply, SnapshotReply } from '../src/engine/protocol';
import { Runner } from '../src/engine/runner';
import { parseJsonc } from '../src/scenes/jsonc';
import { withObstacleMoved } from '../src/text/placeOfObstacle';
import { bindingsOf, HeldKeys } from '../src/ui/heldKeys';
import { ForceScale } from '../src/view/contactArrows';
import { dragNormal } from '../src/view/dragObstacle';
import { closeTips } from '../src/view/shownBodies';
import { bodyEnds } from '../src/view/sleeves';
import { suitableThickness } from '../src/view/thickness';
import { TipPaths, Walker } from '../src/view/tipPaths';
import { fakeEngine } from './fakeEngine';
import { sceneFile } from './sceneFile';

describe('snapshots of vines', () => {
  const posted: Reply[] = [];
  const runner = new Runner(fakeEngine, { now: () => 0, post: (reply) => posted.push(reply) });
  const snapshots = (): SnapshotReply[] => posted.filter((reply) => reply.type === 'snapshot');
  const step = (): SnapshotReply => {
    runner.handle({ type: 'step' });
    const last = snapshots().at(-1);
    if (!last) throw new Error('no snapshot');
    runner.handle({ type: 'recycle', buffer: last.buffer });
    return last;
  };
  const scene = { bars: 1, touched: true, grows: true, duration: 0.06 };
  runner.handle({ type: 'field', field: 'strain' });
  runner.handle({ type: 'load', id: 1, text: JSON.stringify(scene), set: {}, play: false });
  runner.handle({ type: 'recycle', buffer: snapshots()[0].buffer });

  it('carry as many contacts as there are, beside the values of the field', () => {
    expect(snapshots()[0].counts.contacts).toBe(0);
    for (const count of [1, 2, 3]) {
      const { buffer, counts } = step();
      expect(counts.contacts).toBe(count);
      expect(buffer.byteLength).toBe(bytesOf(counts, true));
      const { contacts } = viewsOf(buffer, counts);
      expect(contacts).toHaveLength(6 * count);
      expect(contacts[6 * count - 2]).toBe(count);
    }
  });

  it('bring the drawing when it has grown, and only then, in the same history', () => {
    const [, first, second, third] = snapshots();
    expect(first.drawing).toBeNull();
    expect(second.drawing?.parts).toHaveLength(2);
    expect(second.counts.points).toBe(second.drawing?.round.length);
    expect(third.drawing).toBeNull();
    expect([first.fresh, second.fresh, second.jump]).toEqual([false, false, false]);
  });

  it('a key let go after the end leaves the run where it is; a slider starts it again', () => {
    for (let i = 0; i < 3; ++i) step();
    const held = { type: 'set', name: 'load', value: 3, held: true } as const;
    runner.handle(held);
    const answer = () => posted.filter((reply) => reply.type === 'parameters').at(-1);
    expect(answer()).toMatchObject({ restarted: false, ended: false });
    runner.handle({ ...held, held: false });
    expect(answer()).toMatchObject({ restarted: true, ended: true });
    runner.handle({ ...held, held: false });
    expect(answer()).toMatchObject({ restarted: false, ended: false });
  });
});

describe('what vines show', () => {
  it('bodies start and end at the points and keep their length', () => {
    const from = new THREE.Vector3();
    const to = new THREE.Vector3();
    const positions = Float32Array.of(9, 9, 9, 1, 0, 0, 1, 0.5, 0);
    bodyEnds(positions, 1, 0.2, 0, from, to);
    expect([from.y, to.y]).toEqual([0, expect.closeTo(0.2)]);
    bodyEnds(positions, 1, 0.2, 1, from, to);
    expect([from.y, to.y]).toEqual([expect.closeTo(0.3), 0.5]);
    expect(to.x).toBe(1);
  });

  it('tips paint dashes of equal length, however they are asked', () => {
    const paint = (steps: number): number[][] => {
      const dashes: number[][] = [];
      const walker = new Walker(new THREE.Vector3(), 0.03, 0.02);
      for (let i = 1; i <= steps; ++i) {
        walker.go(new THREE.Vector3((0.3 * i) / steps, 0, 0), (a, b) => dashes.push([a.x, b.x]));
      }
      return dashes;
    };
    const one = paint(1);
    expect(one.length).toBeGreaterThanOrEqual(5);
    for (const [i, [from, to]] of one.slice(0, 5).entries()) {
      expect(from).toBeCloseTo(0.05 * i);
      expect(to).toBeCloseTo(0.05 * i + 0.03);
    }
    for (const [i, [from]] of paint(37).slice(0, 5).entries()) expect(from).toBeCloseTo(one[i][0]);
  });

  it('paint where the tip has been shown, not where it goes, until the run starts anew', () => {
    const paths = new TipPaths();
    const drawing = fakeEngine.simulation('{"bars": 1}').drawing();
    const vine = {
      ...drawing,
      parts: [{ ...drawing.parts[0], kind: 'vine' as const, firstPoint: 0, pointCount: 2 }],
      halfAxes: new Float32Array(4).fill(1e-3),
    };
    const dashes = (): number => (paths.group.children[0] as THREE.InstancedMesh | undefined)?.count ?? 0;
    const normals = Float32Array.of(0, 0, 1, 0, 0, 1);
    const at = (x: number): void => paths.push(vine, Float32Array.of(0, 0, 0, x, 0, 0), normals, 1);
    at(0);
    at(0.1);
    expect(dashes()).toBe(0);
    at(0.1);
    expect(dashes()).toBe(5);
    paths.clear();
    expect(dashes()).toBe(0);
  });

  it('tips that are suddenly far away have not gone there', () => {
    const walker = new Walker(new THREE.Vector3(), 0.03, 0.02);
    let dashes = 0;
    walker.go(new THREE.Vector3(1e6, 0, 0), () => ++dashes);
    expect(dashes).toBe(0);
    walker.go(new THREE.Vector3(1e6 + 0.04, 0, 0), () => ++dashes);
    expect(dashes).toBe(1);
  });

  it('arrows have a round scale near the largest force, which outlives a quiet moment and not more', () => {
    const scale = new ForceScale();
    const contact = (force: number): Float32Array => Float32Array.of(0, 0, 0, 0, force, 0);
    expect(scale.take(new Float32Array(0), 0)).toBe(false);
    expect(scale.take(contact(3.2), 100)).toBe(true);
    expect(scale.perCell).toBe(2);
    expect(scale.take(contact(2.5), 200)).toBe(false);
    expect(scale.take(contact(0.9), 1600)).toBe(false);
    expect(scale.take(contact(0.9), 1800)).toBe(true);
    expect(scale.perCell).toBe(0.5);
    expect(scale.take(new Float32Array(0), 9000)).toBe(false);
    expect(scale.perCell).toBe(0.5);
    scale.reset();
    expect(scale.perCell).toBe(0);
  });

  it('have the color of the last pair at the tip, where nothing bends', () => {
    const values = Float32Array.of(7, 0, 1, 2, 0, 5, 0);
    const part = { ...fakeEngine.simulation('{"bars": 1}').drawing().parts[0], pointCount: 4 };
    const parts = [
      { ...part, kind: 'vine' as const, firstPoint: 1 },
      { ...part, kind: 'rod' as const, firstPoint: 5, pointCount: 2 },
    ];
    closeTips(values, { parts });
    expect([...values]).toEqual([7, 0, 1, 2, 2, 5, 0]);
  });

  it('are never drawn thicker by themselves', () => {
    const drawing = fakeEngine.simulation('{"bars": 1}').drawing();
    const vine = { ...drawing, parts: drawing.parts.map((part) => ({ ...part, kind: 'vine' as const })) };
    expect(suitableThickness(drawing, 100, false)).toBeGreaterThan(1);
    expect(suitableThickness(vine, 100, false)).toBe(1);
  });
});

describe('keys that play', () => {
  const parameters = [
    { name: 'grow', live: true, derived: false },
    { name: 'turn', live: true, derived: false },
    { name: 'n', live: false, derived: false },
  ];
  const { keys } = (parseJsonc(sceneFile('vine-maze')) as { view: { keys: unknown } }).view;

  function held(): { keys: HeldKeys; now: Record<string, number>; own: Record<string, number> } {
    const own: Record<string, number> = { grow: 0, turn: 0.25 };
    const now = { ...own };
    const made = new HeldKeys(
      bindingsOf(keys, parameters),
      (name) => own[name],
      (name, value) => {
        now[name] = value;
      },
    );
    return { keys: made, now, own };
  }

  it('are read from the scene, parameters that act at once alone', () => {
    expect(bindingsOf(keys, parameters)).toMatchObject({
      space: { grow: 0.12 },
      left: { turn: 1 },
      right: { turn: -1 },
    });
    expect(bindingsOf({ up: { n: 3 }, down: { n: 3, grow: 1 }, q: { grow: 1 } }, parameters)).toEqual({
      down: { grow: 1 },
    });
    expect(bindingsOf(undefined, parameters)).toEqual({});
  });

  it('set values while held, and give back what there was', () => {
    const { keys: pad, now } = held();
    pad.press('space');
    pad.press('left');
    expect(now).toEqual({ grow: 0.12, turn: 1 });
    pad.release('space');
    expect(now).toEqual({ grow: 0, turn: 1 });
    pad.release('left');
    expect(now).toEqual({ grow: 0, turn: 0.25 });
  });

  it('the last pressed counts, then the one still held, then the slider as it stands now', () => {
    const { keys: pad, now, own } = held();
    pad.press('left');
    pad.press('right');
    expect(now.turn).toBe(-1);
    pad.release('right');
    expect(now.turn).toBe(1);
    own.turn = -0.5;
    pad.releaseAll();
    expect(now.turn).toBe(-0.5);
    pad.press('up');
    expect(pad.holds('up')).toBe(false);
  });
});

describe('a dragged obstacle', () => {
  const maze = sceneFile('vine-maze');
  const read = (text: string): Record<string, never> =>
    (parseJsonc(text) as { obstacles: Record<string, never> }).obstacles;
  const moved = (text: string, name: string, offset: number[]): string => {
    const result = withObstacleMoved(text, name, offset, 1e-3);
    if ('refused' in result) throw new Error(result.refused);
    return result.text;
  };

  it('has its center moved in the text, and nothing else changes', () => {
    const text = moved(maze, 'first', [0.0123, -0.0499, 1e-9]);
    expect(read(text).first).toMatchObject({ box: { center: [0.632, 0.05, 0], half: [0.02, 0.3, 0.03] } });
    expect(text.replace('[0.632, 0.05, 0]', '[0.62, 0.1, 0]')).toBe(maze);
  });

  it('has both its ends moved', () => {
    const { post } = read(moved(maze, 'post', [0.1, 0.02, 0]));
    expect(post).toMatchObject({ cylinder: { from: [1.08, 0.04, -0.03], to: [1.08, 0.04, 0.03] } });
  });

  it('stays where its place is a formula or stands nowhere, and the words say which', () => {
    const text = '{"obstacles": {"a": {"sphere": {"center": ["=w", 0, /* z */ 0], "radius": 1}}, "b": {"plane": {}}}}';
    const refused = (name: string, offset: number[]): string => {
      const result = withObstacleMoved(text, name, offset, 1e-3);
      return 'refused' in result ? result.refused : '';
    };
    expect(refused('a', [0.1, 0, 0])).toContain('The x of "center" of "a" is a formula: "=w"');
    expect(refused('a', [0, 0.1, 0.2])).toBe('');
    expect(moved(text, 'a', [0, 0.1, 0.2])).toContain('["=w", 0.1, /* z */ 0.2]');
    expect(refused('b', [1, 0, 0])).toContain('no center');
    expect(refused('c3', [1, 0, 0])).toContain('repeat');
  });

  it('moves in the plane of the vine, over the ground or in the plane of the screen', () => {
    const down = new THREE.Vector3(0, 0.1, -1).normalize();
    const level = new THREE.Vector3(0, 1, 0);
    const xz = new THREE.Vector3(0, 1, 0);
    expect(dragNormal(level, xz).toArray()).toEqual([0, 1, 0]);
    expect(dragNormal(down, null).toArray()).toEqual([0, 0, 1]);
    expect(dragNormal(level, null).toArray()).toEqual([0, 1, 0]);
    expect(dragNormal(level, new THREE.Vector3(0, 0, 1)).toArray()).toEqual([0, 1, 0]);
  });
});
