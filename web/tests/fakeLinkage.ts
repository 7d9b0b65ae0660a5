// The fake engine's linkage: a rigid hub, a tapered limb that turns, a ball at its tip, a joint of every kind in a row, and
// two tendons along the limb, one of them outside.
import type { Drawing, DrawingJoint } from '@tendril/engine';

const limbPoints = 21;
const hubPoints = 5;
const tendonPoints = 11;
const length = 0.3;

export const jointKinds: DrawingJoint['kind'][] = [
  'revolute',
  'prismatic',
  'helical',
  'universal',
  'cylindrical',
  'planar',
  'spherical',
  'free',
];

/** As in the text of a scene. */
export const fakeLinks = {
  hub: { joint: { revolute: { axis: 'z' } } },
  limb: { joint: { spherical: {} } },
  slide: { joint: { cylindrical: { axis: 'x' } } },
};

export interface Linkage {
  first: number;
  points: number;
  halfAxes: Float32Array;
  parts: Drawing['parts'];
  joints: Drawing['joints'];
  tendons: Drawing['tendons'];
  writePlaces(t: number, out: Float32Array): void;
  writeDirectors(out: Float32Array): void;
  jointPlaces(t: number): Float32Array;
  tendonPlaces(t: number): Float32Array;
}

/** `first`: number of its first point. */
export function fakeLinkage(first: number): Linkage {
  const part = (name: string, kind: 'soft' | 'rigid', from: number, pointCount: number): Drawing['parts'][0] => ({
    ...{ name: `robot/${name}`, kind, firstPoint: first + from, pointCount },
    ...{ color: '', label: '', opacity: 1, hidden: false, bodyLength: 0, body: first },
  });
  const points = hubPoints + limbPoints + 1;
  const radius = (p: number): number =>
    p < hubPoints ? 0.02 : p === points - 1 ? 0.03 : 0.02 - (0.015 * (p - hubPoints)) / (limbPoints - 1);
  const limbAt = (s: number, t: number, off: number): number[] => {
    const angle = 0.5 * t;
    const x = 0.1 + s * Math.cos(angle) - off * Math.sin(angle);
    return [x, -0.2, 0.2 + s * Math.sin(angle) + off * Math.cos(angle)];
  };
  const tendon = (name: string, k: number, outside: boolean): Drawing['tendons'][0] => ({
    ...{ name: `robot/${name}`, firstPoint: k * tendonPoints, pointCount: tendonPoints },
    ...{ outside, unit: 'N', color: '', label: '', hidden: false },
  });
  return {
    first,
    points,
    halfAxes: Float32Array.from({ length: 2 * points }, (_, i) => radius(Math.floor(i / 2))),
    parts: [
      part('hub', 'rigid', 0, hubPoints),
      part('limb', 'soft', hubPoints, limbPoints),
      part('ball', 'rigid', hubPoints + limbPoints, 1),
    ],
    joints: jointKinds.map((kind) => ({ name: 'robot/limb', kind, size: 0.02 })),
    tendons: [tendon('c1', 0, false), tendon('c2', 1, true)],
    writePlaces(t, out) {
      for (let i = 0; i < hubPoints; ++i) out.set([(0.1 * i) / (hubPoints - 1), -0.2, 0.2], 3 * (first + i));
      for (let i = 0; i < limbPoints; ++i) {
        out.set(limbAt((length * i) / (limbPoints - 1), t, 0), 3 * (first + hubPoints + i));
      }
      out.set(limbAt(length, t, 0), 3 * (first + points - 1));
    },
    writeDirectors(out) {
      for (let i = 0; i < points; ++i) out.set([0, 1, 0], 3 * (first + i));
    },
    jointPlaces: (t) => Float32Array.from(jointKinds.flatMap((_, i) => [0.1 * i, -0.3, 0.1 * t, 0, 0, 1])),
    tendonPlaces: (t) =>
      Float32Array.from(
        [0.01, 0.04].flatMap((off) =>
          Array.from({ length: tendonPoints }, (_, i) => limbAt((length * i) / (tendonPoints - 1), t, off)).flat(),
        ),
      ),
  };
}
