// A double of the engine for tests of the page's own code: bars that swing by a formula, sheets that wave by another,
// probes, parameters and problems, with the module's interface and its errors. It computes no mechanics.
import type {
  CheckResult,
  CheckRun,
  Column,
  Drawing,
  Engine,
  EngineError,
  Machine,
  Mode,
  Parameter,
  Problem,
  Progress,
  SceneInfo,
  Sensitivities,
  Simulation,
  Snapshot,
} from '@tendril/engine';

import { fakeLinkage, fakeLinks, type Linkage } from './fakeLinkage';

const nodes = 31;

/** What the double spends its time on [ms]; a test may put a clock of its own here. */
export const clock = {
  now: (): number => performance.now(),
  spend: (time: number): void => {
    const until = performance.now() + time;
    while (performance.now() < until);
  },
};

interface FakeScene {
  title?: string;
  description?: string;
  /** Wall time of a step [s]. */
  cost?: number;
  giveUpAt?: number;
  /** A warning of the first step, which giving up repeats. */
  cut?: string;
  duration?: number;
  /** A static scene of so many load steps. */
  loads?: number;
  bars?: number;
  /** Square sheets beside the bars, of `grid` by `grid` cells. */
  sheets?: number;
  grid?: number;
  /** One obstacle of each kind; the ball rises with the time. */
  obstacles?: boolean;
  /** A linkage behind the bars and sheets. */
  linkage?: boolean;
  contact?: { self: boolean };
  /** As many contacts as steps were made, each as strong as its number. */
  touched?: boolean;
  /** A bar more every second step: the drawing has a new revision. */
  grows?: boolean;
  /** Decided at the end; those with values belong to the runs with these values. Passed unless the title says "no". */
  checks?: { title: string; points?: number; with?: Record<string, number> }[];
}

/** The checks with equal values share a run. */
function runsOf(checks: NonNullable<FakeScene['checks']>): CheckRun[] {
  const runs = new Map<string, CheckRun>();
  checks.forEach(({ with: own = {} }, i) => {
    const run = runs.get(JSON.stringify(own)) ?? { with: own, indices: [] };
    run.indices.push(i);
    runs.set(JSON.stringify(own), run);
  });
  return [...runs.values()];
}

export const column = (name: string, unit: string, quantity = '', more: Partial<Column> = {}): Column => ({
  ...{ name, unit, quantity, energy: '', label: '', hidden: false, probe: 0 },
  ...more,
});

export function failure(code: 2 | 3, message: string, problems?: Problem[]): EngineError {
  return Object.assign(new Error(message), { code, ...(problems ? { problems } : {}) });
}

function problemsOf(text: string): Problem[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [
      { message: (error as Error).message, pointer: '', line: 1, column: 1, from: 0, to: Math.min(1, text.length) },
    ];
  }
}

/** No page asks for derivatives yet. */
function withoutDerivatives(): never {
  throw new Error('the double of the engine has no derivatives');
}

class FakeSimulation implements Simulation {
  time = 0;
  disposed = false;
  grabbed: [number, [number, number, number]] | null = null;
  /** Steps with a pull give up. */
  refusesGrab = false;
  private readonly values: Record<string, number> = { E: 2e6, length: 0.4, load: 1 };
  private readonly asked: string;
  private readonly barsAtFirst: number;
  private readonly sheets: Sheets;
  private readonly linkage: Linkage | null;

  constructor(
    private readonly scene: FakeScene,
    overrides: Record<string, number>,
  ) {
    for (const [name, value] of Object.entries(overrides)) this.set(name, value);
    this.asked = JSON.stringify(overrides);
    this.time = 0;
    this.barsAtFirst = scene.bars ?? 2;
    this.sheets = new Sheets(this.bars * nodes, scene.sheets ?? 0, scene.grid ?? 12);
    this.linkage = scene.linkage ? fakeLinkage(this.bars * nodes + this.sheets.points) : null;
  }

  private get grown(): number {
    return this.scene.grows ? Math.floor(50 * this.time + 1e-9) : 0;
  }

  private get bars(): number {
    return this.barsAtFirst + this.grown;
  }

  private get points(): number {
    return this.bars * nodes + this.sheets.points + (this.linkage?.points ?? 0);
  }

  private get dt(): number {
    return this.scene.loads ? this.duration / this.scene.loads : 0.01;
  }

  get duration(): number {
    return this.scene.duration ?? (this.scene.loads ? 1 : 10);
  }

  get finished(): boolean {
    return this.time >= this.duration - 1e-12;
  }

  info(): SceneInfo {
    const { values } = this;
    const base = {
      step: 0,
      derived: false,
      choices: [],
      min: 0,
      max: 0,
      hasRange: false,
      logarithmic: false,
      live: true,
    };
    const parameters: Parameter[] = [
      {
        ...base,
        name: 'E',
        label: "Young's modulus",
        unit: 'Pa',
        value: values.E,
        hasRange: true,
        min: 1e5,
        max: 1e9,
        logarithmic: true,
      },
      {
        ...base,
        name: 'length',
        label: 'Length',
        unit: 'm',
        value: values.length,
        hasRange: true,
        min: 0.1,
        max: 1,
        live: false,
      },
      {
        ...base,
        name: 'load',
        label: 'Load',
        unit: 'N',
        value: values.load,
        choices: [
          { label: 'half', value: 0.5 },
          { label: 'whole', value: 1 },
        ],
      },
      { ...base, name: 'EI', label: '', unit: 'N m^2', value: values.E * 1e-10, derived: true },
    ];
    return {
      title: this.scene.title ?? 'Two bars',
      description: this.scene.description ?? 'Bars that **swing**. A second sentence.',
      static: this.scene.loads !== undefined,
      dt: this.dt,
      duration: this.duration,
      degreesOfFreedom: 4 * nodes * this.bars,
      parameters,
      columns: [
        ...['tip.x', 'tip.y', 'tip.z'].map((name) => column(name, 'm', 'position')),
        ...['kinetic', 'gravity'].map((name, i) => column(name, 'J', 'energy', { energy: name, probe: 1 + i })),
      ],
      checks: (this.scene.checks ?? []).map(({ title, points = 1, with: own }) => ({
        title,
        points,
        with: own ?? null,
      })),
      checkRuns: runsOf(this.scene.checks ?? []),
      mayTouch: this.scene.obstacles === true || this.scene.contact?.self === true,
      tensions: [0, 0],
      view: {},
      follow: { parts: [], nodes: null },
      acting: { gravity: [0, 0, -9.81], friction: 0, pressure: 0, driven: [] },
      warnings: [],
    };
  }

  step(): Progress {
    if (this.scene.giveUpAt !== undefined && this.time >= this.scene.giveUpAt) {
      throw Object.assign(failure(3, 'no convergence in 50 iterations'), { repeats: this.scene.cut });
    }
    if (this.refusesGrab && this.grabbed) throw failure(3, 'no balance');
    clock.spend(1000 * (this.scene.cost ?? 0));
    this.time = Math.min(this.time + this.dt, this.duration);
    const warnings = this.scene.cut && this.time <= this.dt ? [this.scene.cut] : [];
    return { time: this.time, steps: 1, iterations: 3, retries: 0, warnings };
  }

  advance(seconds: number): Progress {
    return this.advanceFor(seconds, Infinity);
  }

  advanceFor(seconds: number, budget: number): Progress {
    const end = this.time + seconds;
    const until = clock.now() + 1000 * budget;
    const sum: Progress = { time: this.time, steps: 0, iterations: 0, retries: 0, warnings: [] };
    while (this.time < end - 1e-12 && !this.finished) {
      sum.warnings.push(...this.step().warnings);
      sum.steps += 1;
      sum.iterations += 3;
      if (clock.now() > until) break;
    }
    return { ...sum, time: this.time };
  }

  reset(): void {
    this.time = 0;
  }

  drawing(): Drawing {
    const total = this.points;
    const halfAxes = new Float32Array(2 * total);
    const round = new Uint8Array(total);
    const segments: number[] = [];
    for (let b = 0; b < this.bars; ++b) {
      for (let i = 0; i < nodes; ++i) {
        const p = b * nodes + i;
        round[p] = b % 2 === 0 ? 1 : 0;
        halfAxes[2 * p] = b % 2 === 0 ? 0.012 * (1 - (0.6 * i) / nodes) : 0.006;
        halfAxes[2 * p + 1] = b % 2 === 0 ? halfAxes[2 * p] : 0.02;
        if (i > 0) segments.push(p - 1, p);
      }
    }
    halfAxes.fill(5e-4, 2 * this.bars * nodes);
    if (this.linkage) {
      halfAxes.set(this.linkage.halfAxes, 2 * this.linkage.first);
      round.fill(1, this.linkage.first);
    }
    const name = (b: number): string => ['arm', 'strip', 'tail'][b % 3];
    return {
      parts: [
        ...Array.from({ length: this.bars }, (_, b) => partOf(name(b), 'rod', b * nodes, nodes)),
        ...this.sheets.parts(),
        ...(this.linkage?.parts ?? []),
      ],
      halfAxes,
      round,
      segments: Uint32Array.from(segments),
      triangles: this.sheets.triangles(),
      marks: [...(this.bars > 1 ? barMarks : []), ...this.sheets.marks()],
      obstacles: this.scene.obstacles ? fakeObstacles : [],
      joints: this.linkage?.joints ?? [],
      tendons: this.linkage?.tendons ?? [],
      revision: 1 + this.grown,
    };
  }

  snapshot(): Snapshot {
    const scalars = this.scalars();
    return {
      time: this.time,
      positions: this.positions(),
      directors: this.directors(),
      obstacles: this.obstacles(),
      joints: this.joints(),
      tendons: this.tendons(),
      tensions: this.tensions(),
      contacts: this.contacts(),
      curvature: scalars,
      strain: scalars,
      energy: scalars,
    };
  }

  private positions(): Float32Array {
    const out = new Float32Array(3 * this.points);
    this.sheets.write(this.time, out, 'place');
    this.linkage?.writePlaces(this.time, out);
    for (let b = 0; b < this.bars; ++b) {
      const bend = (0.9 - 0.3 * b) * Math.sin(2 * this.time + b) * (2e6 / this.values.E) ** 0.2;
      for (let i = 0; i < nodes; ++i) {
        const s = (this.values.length * i) / (nodes - 1);
        const angle = (bend * s) / this.values.length;
        out.set([s * Math.cos(angle / 2), 0.12 * b, -s * Math.sin(angle / 2) + 0.2], 3 * (b * nodes + i));
      }
    }
    return out;
  }

  private directors(): Float32Array {
    const out = new Float32Array(3 * this.points);
    this.sheets.write(this.time, out, 'normal');
    this.linkage?.writeDirectors(out);
    for (let i = 0; i < nodes * this.bars; ++i) {
      const twist = (i % nodes) * 0.2 * Math.sin(this.time);
      out.set([0, Math.sin(twist), Math.cos(twist)], 3 * i);
    }
    return out;
  }

  private obstacles(): Float32Array {
    return Float32Array.from(this.drawing().obstacles.flatMap(({ kind }) => [0, 0, kind === 'sphere' ? this.time : 0]));
  }

  private joints(): Float32Array {
    return this.linkage?.jointPlaces(this.time) ?? new Float32Array(0);
  }

  private tendons(): Float32Array {
    return this.linkage?.tendonPlaces(this.time) ?? new Float32Array(0);
  }

  /** The first pulls with the load, the second pushes with the time. */
  private tensions(): Float32Array {
    return Float32Array.from(this.linkage ? [this.values.load, -this.time] : []);
  }

  private contacts(): Float32Array {
    const count = this.scene.touched ? Math.round(this.time / this.dt) : 0;
    return Float32Array.from(Array.from({ length: count }, (_, i) => [0.1 * i, 0, 0, 0, i + 1, 0]).flat());
  }

  private scalars(): Float32Array {
    return Float32Array.from({ length: this.points }, (_, i) => (i % nodes) * 0.3 * Math.abs(Math.sin(this.time)));
  }

  probes(): Record<string, number> {
    const values = this.probeValues();
    return Object.fromEntries(this.info().columns.map(({ name }, i) => [name, values[i]]));
  }

  probeValues(): Float64Array {
    const tip = this.positions().slice(3 * (nodes - 1), 3 * nodes);
    return Float64Array.from([...tip, 0.02 * Math.cos(2 * this.time) ** 2, 0.02 * Math.sin(2 * this.time) ** 2]);
  }

  checks(): CheckResult[] {
    if (!this.finished) return [];
    const { time: at, values } = this;
    const all = this.scene.checks ?? [];
    return all.flatMap(({ title, points = 1, with: own = {} }, index) =>
      JSON.stringify(own) === this.asked ? [{ index, title, passed: !title.includes('no'), at, points, values }] : [],
    );
  }

  set(name: string, value: number): boolean {
    if (!(name in this.values)) throw failure(2, `there is no parameter "${name}"`);
    if (!(value > 0)) throw failure(2, `"${name}" must be positive`);
    this.values[name] = value;
    if (name === 'length') this.time = 0;
    return name !== 'length';
  }

  save(): Uint8Array {
    return new Uint8Array(new Float64Array([this.time]).buffer);
  }

  restore(bytes: Uint8Array): void {
    this.time = new Float64Array(bytes.slice().buffer)[0];
  }

  grab(point: number, target: [number, number, number]): void {
    this.grabbed = [point, target];
  }

  release(): void {
    this.grabbed = null;
  }

  sensitivities(): Sensitivities {
    return withoutDerivatives();
  }

  /** One coordinate, by which all points rise; a scene whose load is not 1 has none. */
  machine(): Machine {
    const refuse = (): never => {
      throw Object.assign(new Error('this state is no equilibrium: let it come to rest'), { code: 3 });
    };
    const mode: Mode = {
      frequency: 2.5,
      growth: 0,
      damping: 0.01,
      rigid: false,
      hidden: 0,
      estimate: false,
      shape: Float64Array.of(1),
    };
    const modes = (): Mode[] => (this.values.load === 1 ? [mode] : refuse());
    const shaped = (shape: ArrayLike<number>, size: number): Float32Array =>
      this.positions().map((value, i) => value + (i % 3 === 2 ? size * shape[0] : 0));
    const dispose = (): void => {};
    const omitted = () => ['the damping of contact'];
    return { modes, omitted, shaped, dispose, coordinates: () => ['bar:1.z'] } as unknown as Machine;
  }

  dispose(): void {
    this.disposed = true;
  }
}

function obstacle(
  own: Partial<Drawing['obstacles'][0]> & { kind: Drawing['obstacles'][0]['kind'] },
): Drawing['obstacles'][0] {
  return {
    name: own.kind,
    point: [0, 0, 0],
    end: [0, 0, 0],
    normal: [0, 0, 1],
    half: [0, 0, 0],
    axes: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    radius: 0,
    color: '',
    label: '',
    opacity: 1,
    hidden: false,
    ...own,
  };
}

const s = Math.SQRT1_2;
export const fakeObstacles: Drawing['obstacles'] = [
  obstacle({ kind: 'plane', point: [0, 0, -0.1] }),
  obstacle({ kind: 'plane', name: 'slope', point: [0.6, 0, -0.1], normal: [-s, 0, s] }),
  obstacle({ kind: 'sphere', point: [0.2, -0.15, 0], radius: 0.08, label: 'the ball' }),
  obstacle({ kind: 'box', point: [0, -0.3, -0.05], half: [0.1, 0.05, 0.05], axes: [s, s, 0, -s, s, 0, 0, 0, 1] }),
  obstacle({ kind: 'capsule', point: [0.1, 0.3, -0.05], end: [0.4, 0.3, 0.05], radius: 0.05, color: '#3a7' }),
  obstacle({ kind: 'cylinder', point: [-0.2, 0, -0.1], end: [-0.2, 0, 0.3], radius: 0.04, opacity: 0.5 }),
  obstacle({ kind: 'sphere', name: 'unseen', point: [9, 9, 9], radius: 1, hidden: true }),
];

function partOf(name: string, kind: 'rod' | 'shell', firstPoint: number, pointCount: number): Drawing['parts'][0] {
  const look = { color: '', label: '', opacity: 1, hidden: false };
  return { name, kind, firstPoint, pointCount, ...look, bodyLength: 0, body: firstPoint };
}

const barMarks: Drawing['marks'] = [
  { kind: 'clamp', point: 0, direction: [0, 0, 0], joint: -1 },
  { kind: 'fix', point: nodes, direction: [0, 0, 0], joint: -1 },
  { kind: 'force', point: nodes - 1, direction: [0, 0, -1], joint: -1 },
  { kind: 'follower', point: 2 * nodes - 1, direction: [0, 1, 0], joint: -1 },
];

/** Waving squares of 0.4 m behind the bars, clamped along one border, under pressure. */
class Sheets {
  readonly points: number;
  private readonly side: number;

  constructor(
    private readonly first: number,
    private readonly count: number,
    private readonly grid: number,
  ) {
    this.side = grid + 1;
    this.points = count * this.side ** 2;
  }

  parts(): Drawing['parts'] {
    const each = this.side ** 2;
    return Array.from({ length: this.count }, (_, k) => partOf(`sheet${k}`, 'shell', this.first + k * each, each));
  }

  triangles(): Uint32Array {
    const out: number[] = [];
    for (const { firstPoint } of this.parts()) {
      for (let j = 0; j < this.grid; ++j) {
        for (let i = 0; i < this.grid; ++i) {
          const a = firstPoint + j * this.side + i;
          out.push(a, a + 1, a + this.side + 1, a, a + this.side + 1, a + this.side);
        }
      }
    }
    return Uint32Array.from(out);
  }

  marks(): Drawing['marks'] {
    return this.parts().flatMap(({ firstPoint, pointCount }) => [
      ...Array.from({ length: this.side }, (_, j) => mark('clamp', firstPoint + j * this.side)),
      ...Array.from({ length: pointCount }, (_, i) => mark('pressure', firstPoint + i)),
    ]);
  }

  /** Places or unit normals of z = a sin(kx - 2t) x at the time t. */
  write(t: number, out: Float32Array, what: 'place' | 'normal'): void {
    for (let p = 0; p < this.points; ++p) {
      const sheet = Math.floor(p / this.side ** 2);
      const x = (0.4 * (p % this.side)) / this.grid;
      const y = (0.4 * (Math.floor(p / this.side) % this.side)) / this.grid;
      const phase = 12 * x - 2 * t;
      const slope = 0.25 * (Math.sin(phase) + 12 * x * Math.cos(phase));
      const at = 3 * (this.first + p);
      if (what === 'place') out.set([x, 0.4 + 0.5 * sheet + y, 0.2 + 0.25 * Math.sin(phase) * x], at);
      else out.set([-slope / Math.hypot(slope, 1), 0, 1 / Math.hypot(slope, 1)], at);
    }
  }
}

function mark(kind: 'clamp' | 'pressure', point: number): Drawing['marks'][0] {
  return { kind, point, direction: kind === 'clamp' ? [0, 0, 0] : [0, 0, -1], joint: -1 };
}

export const fakeEngine: Engine & { made: FakeSimulation[] } = {
  version: '0.0.0-test',
  made: [],
  simulation(text, overrides = {}) {
    const problems = problemsOf(text);
    if (problems.length > 0) throw failure(2, problems[0].message, problems);
    const made = new FakeSimulation(JSON.parse(text) as FakeScene, overrides);
    this.made.push(made);
    return made;
  },
  sensitivities: withoutDerivatives,
  residuals: withoutDerivatives,
  validate: (text) => ({ problems: problemsOf(text), warnings: [] }),
  expand: (text) => {
    const { checks = [], contact = {}, linkage } = JSON.parse(text) as FakeScene;
    const linkages = linkage ? { robot: { links: fakeLinks, cables: { c1: { tension: '=E' } } } } : {};
    const probes = {
      tip: { position: 'arm:last' },
      kinetic: { energy: 'kinetic' },
      gravity: { energy: 'gravity' },
    };
    return JSON.stringify({ checks, contact, linkages, probes });
  },
  importGeometry: (text) => {
    if (!text.includes('*Edges'))
      throw failure(2, 'no edges', [{ ...problemsOf('{')[0], message: 'no edges', line: 3 }]);
    return '{"title": "Imported"}';
  },
  schema: () => '{}',
};

export const loadEngine = async (): Promise<Engine> => fakeEngine;
