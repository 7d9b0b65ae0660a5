/** Tendril's simulation engine as an ES module, for browsers, workers and Node. SI units, radians, z up. */

/** One problem of a scene, the same that the command line prints. Lines and columns from 1 (columns in Unicode code points). */
export interface Problem {
  message: string;
  /** JSON pointer of the value, "" for the whole text. */
  pointer: string;
  line: number;
  column: number;
  /** UTF-16 offsets of the value in the text, for editors. */
  from: number;
  to: number;
}

/**
 * Thrown for a scene or a parameter value that cannot load (`code` 2, `problems` set), for a run that gave up (`code` 3,
 * state kept), and for a save, a point or a field that does not belong to the scene (`code` 2, no `problems`).
 * Arguments of a wrong type and unknown options throw a TypeError, calls after `dispose()` a plain Error.
 */
export interface EngineError extends Error {
  code: 2 | 3;
  problems?: Problem[];
  /** Of a run that gave up: the warning of a cut step that gave the same reason, where there was one. */
  repeats?: string;
}

/** What `step` and `advance` did. */
export interface Progress {
  /** Where the simulation stands [s]. */
  time: number;
  /** Accepted steps. */
  steps: number;
  /** Newton iterations, rejected steps included. */
  iterations: number;
  /** Steps that had to be cut. */
  retries: number;
  /** New warnings, each said once. */
  warnings: string[];
}

export interface DrawingPart {
  /** Of the body; of a link with its linkage: "arm/limb". */
  name: string;
  /** Links are soft or rigid. */
  kind: 'rod' | 'shell' | 'soft' | 'rigid' | 'vine';
  firstPoint: number;
  pointCount: number;
  color: string;
  label: string;
  opacity: number;
  hidden: boolean;
  /** Vines: of the two rigid bodies between neighboring points, which slide on each other [m]; otherwise 0. */
  bodyLength: number;
  /** Whose part it is: rods, shells, linkages and vines in one order; the links of a linkage share theirs. */
  body: number;
}

/** A small symbol at a drawn point. */
export interface DrawingMark {
  kind:
    | 'clamp'
    | 'fix'
    | 'move'
    | 'turn'
    | 'weld'
    | 'pin'
    | 'force'
    | 'follower'
    | 'moment'
    | 'line'
    | 'pressure'
    | 'mass';
  point: number;
  /** Unit vector, or zeros where the mark has no direction. */
  direction: [number, number, number];
  /** Supports of links: the joint that they hold, in the drawing's list; otherwise -1. */
  joint: number;
}

/** A body that does not deform; `Snapshot.obstacles` tells how far it has moved. */
export interface DrawingObstacle {
  name: string;
  kind: 'plane' | 'sphere' | 'box' | 'capsule' | 'cylinder';
  /** Planes: a point; spheres and boxes: the center; others: one end [m]. */
  point: [number, number, number];
  /** Capsules and cylinders: the other end [m]. */
  end: [number, number, number];
  /** Planes: unit, toward the free side. */
  normal: [number, number, number];
  /** Boxes: half sides along their own axes [m]. */
  half: [number, number, number];
  /** Boxes: the three axes, one after the other. */
  axes: number[];
  /** [m] */
  radius: number;
  color: string;
  label: string;
  opacity: number;
  hidden: boolean;
}

/** A joint of a linkage; `Snapshot.joints` tells where it is and along what. */
export interface DrawingJoint {
  /** Of the link that it carries, "arm/limb". */
  name: string;
  kind: 'fixed' | 'revolute' | 'prismatic' | 'helical' | 'universal' | 'cylindrical' | 'planar' | 'spherical' | 'free';
  /** Radius of what meets there [m], for its symbol. */
  size: number;
}

/** A tendon or chamber of a linkage, or a spring between places: a polyline, a run of the points of `Snapshot.tendons`. */
export interface DrawingTendon {
  /** "arm/c1" */
  name: string;
  firstPoint: number;
  pointCount: number;
  /** It spans straight from section to section. */
  outside: boolean;
  /** Of its tension: "N", or "N m" of a spring that turns. */
  unit: string;
  color: string;
  label: string;
  hidden: boolean;
}

export interface Drawing {
  parts: DrawingPart[];
  /** 2 per point: the section's half-axes along d1 and d2 [m]; of shells half the thickness, twice. */
  halfAxes: Float32Array;
  /** 1 per point: 1 elliptic section, 0 rectangular. */
  round: Uint8Array;
  /** 2 point indices per edge of a rod or link. */
  segments: Uint32Array;
  /** 3 point indices per triangle of the shells, right-handed about its normal. */
  triangles: Uint32Array;
  marks: DrawingMark[];
  obstacles: DrawingObstacle[];
  joints: DrawingJoint[];
  tendons: DrawingTendon[];
  /** Grows when any of the above changes. */
  revision: number;
}

export interface Parameter {
  name: string;
  label: string;
  unit: string;
  value: number;
  /** Has min and max: a slider. */
  hasRange: boolean;
  min: number;
  max: number;
  /** 0: continuous. */
  step: number;
  logarithmic: boolean;
  /** Acts while the scene runs; otherwise a change restarts the run. */
  live: boolean;
  /** Its value is a formula of other parameters. */
  derived: boolean;
  choices: { label: string; value: number }[];
}

/**
 * What moves: views over the module's memory, valid until the next call. Copy what you keep. Points come in the order of
 * the drawing's parts, all else in that of its lists.
 */
export interface Snapshot {
  /** [s]; static: load factor times duration. */
  time: number;
  /** 3 floats per point [m]. */
  positions: Float32Array;
  /** 3 floats per point. Rods and links: material director d1. Shells: unit normal of the surface at the vertex. */
  directors: Float32Array;
  /** How far each of the drawing's obstacles has moved [m]: 3 floats per obstacle. */
  obstacles: Float32Array;
  /** 6 floats per joint of the drawing: its place [m], of sliding joints that on the parent, and the unit vector of its axis. */
  joints: Float32Array;
  /** 3 floats per point of the drawing's tendons [m]. */
  tendons: Float32Array;
  /** 1 float per tendon of the drawing: its tension, in its unit. */
  tensions: Float32Array;
  /** 6 floats per contact that vines feel now: its place [m] and the force on the vine [N]. Their number varies. */
  contacts: Float32Array;
  /** 1 float per point [1/m]. */
  curvature: Float32Array;
  /** 1 float per point: rods and links axial, shells the largest principal membrane strain by magnitude, signed. */
  strain: Float32Array;
  /** 1 float per point: rods and links elastic energy per length [J/m], shells bending energy per area [J/m^2]. */
  energy: Float32Array;
}

/** What a number of `probeValues()` means. */
export interface Column {
  /** "tip.x" */
  name: string;
  /** "m"; "1" for a pure number; empty where a formula or a state does not say. */
  unit: string;
  /** What is measured, "position"; empty for formulas and states. */
  quantity: string;
  /** Of energies of the whole scene: which, "kinetic"; else empty. */
  energy: string;
  /** The scene's own name for it; empty without. */
  label: string;
  /** Not plotted. */
  hidden: boolean;
  /** Whose column it is: number of the probe; states are numbered on. */
  probe: number;
}

/** A check as the scene states it. */
export interface Check {
  title: string;
  points: number;
  /** Parameters of a run of its own; null: the scene's run. */
  with: Record<string, number> | null;
}

/** Checks that one run decides. */
export interface CheckRun {
  /** Parameters of that run; empty: the scene's own. */
  with: Record<string, number>;
  /** Of its checks, among the scene's. */
  indices: number[];
}

export interface CheckResult {
  /** Among the scene's checks. */
  index: number;
  title: string;
  passed: boolean;
  at: number;
  points: number;
  values: Record<string, number>;
  /** Why it failed, where its value is not a number. */
  reason?: string;
}

/** What acts on all bodies, with the present parameters: at the start, or at the end where it is nothing at the start. */
export interface Acting {
  /** [m/s^2] */
  gravity: [number, number, number];
  /** Largest coefficient of friction, of contact and obstacles; 0 without. */
  friction: number;
  /** The largest pressure on a shell by magnitude [Pa]; 0 without. */
  pressure: number;
  /** Rods and shells whose natural shape or length is driven. */
  driven: string[];
}

/** What the camera follows, as `view.follow` names it. */
export interface Follow {
  /** Of the drawing, by number; empty: nothing. */
  parts: number[];
  /** First and last of the points of that part that are kept as large as at first; null: the middle of the parts is followed. */
  nodes: [number, number] | null;
}

export interface SceneInfo {
  title: string;
  /** Markdown. */
  description: string;
  static: boolean;
  /** The dt that the scene asks for [s]. */
  dt: number;
  duration: number;
  degreesOfFreedom: number;
  parameters: Parameter[];
  /** Columns of probes, then the scene's states, in the order of `probeValues()`. */
  columns: Column[];
  checks: Check[];
  /** The runs that decide them all, the scene's own first. */
  checkRuns: CheckRun[];
  /** There is an obstacle, or bodies meet each other or themselves. */
  mayTouch: boolean;
  /** Least and largest tension [N] that sliders can ask tendons for, 0 among them: a hint, tensions may leave it. */
  tensions: [number, number];
  /** The scene's `view` object, display only. */
  view: Record<string, unknown>;
  follow: Follow;
  acting: Acting;
  /** What `tendril validate` warns about. */
  warnings: Problem[];
}

/** A running scene. Call `dispose()` when done: its memory is the module's. */
export interface Simulation {
  readonly time: number;
  readonly duration: number;
  readonly finished: boolean;
  info(): SceneInfo;
  /** One accepted step (static: one load step). Throws an EngineError with code 3 when the solver gives up. */
  step(): Progress;
  /** Steps until `seconds` have passed or the scene's duration is reached. */
  advance(seconds: number): Progress;
  /** As `advance`, but returns after about `budget` seconds of wall time at the latest (always at a step's end). */
  advanceFor(seconds: number, budget: number): Progress;
  /** Back to t = 0 with the present parameters. */
  reset(): void;
  drawing(): Drawing;
  /** What moves, at the last accepted state. */
  snapshot(): Snapshot;
  /** Probe columns and states by flat name at the last accepted state. */
  probes(): Record<string, number>;
  /** The same in the order of `info().columns`; a view, valid until the next call. */
  probeValues(): Float64Array;
  checks(): CheckResult[];
  /** Sets a parameter; true if it acted at once, false if the run restarted. Throws for an unknown name or a bad value. */
  set(name: string, value: number): boolean;
  /** Everything the future depends on; a restored run continues bit for bit. */
  save(): Uint8Array;
  restore(bytes: Uint8Array): void;
  /** Pulls a drawn point toward a place [m] until `release()`. */
  grab(point: number, target: [number, number, number]): void;
  release(): void;
  /** The equations of motion about the present state. It is a copy: the simulation may go on or end. */
  machine(): Machine;
  /**
   * A run of its own with derivatives: of this scene from its start, with the present values of its parameters. What else
   * was done to this simulation (steps, restored states, pulls) is no part of it. See `Engine.sensitivities`.
   */
  sensitivities(options: { with: string[]; scales?: Record<string, number> }): Sensitivities;
  dispose(): void;
}

/** By its entries that are not zero: value[i] stands at (row[i], column[i]), counted from 0, column after column. */
export interface SparseMatrix {
  rows: number;
  columns: number;
  row: Int32Array;
  column: Int32Array;
  value: Float64Array;
}

/** M a + D v + K q = f + B u for small motions q of the n coordinates. See docs/machine.md. */
export interface Linearization {
  /** Of the state [s]. */
  time: number;
  /** "rod:3.x", "rod:3.twist", "arm/limb[2]" */
  coordinates: string[];
  /** "m", "rad" or "1" */
  units: string[];
  /** Of the state, per second. */
  rates: Float64Array;
  /** What acts beyond equilibrium [N], [N m]. */
  forces: Float64Array;
  mass: SparseMatrix;
  damping: SparseMatrix;
  stiffness: SparseMatrix;
  /** n x r: the motions that closed loops allow. */
  motions: SparseMatrix;
  inputs: string[];
  outputs: string[];
  /** n x inputs. */
  actuation: SparseMatrix;
  /** What acts and is not in the matrices, in words. */
  omitted: string[];
  /** x' = A x + B u + drift, y = y0 + C x + D u; absent where it was not asked for. */
  space?: {
    states: string[];
    units: string[];
    A: SparseMatrix;
    B: SparseMatrix;
    C: SparseMatrix;
    D: SparseMatrix;
    drift: Float64Array;
    y0: Float64Array;
  };
}

export interface Kinematics {
  /** [m] */
  position: Float64Array;
  /** Quaternion w x y z as the probe `pose`; absent at vertices of shells. */
  rotation?: Float64Array;
  /** [m/s] */
  velocity: Float64Array;
  /** [rad/s] in the world; absent as `rotation`. */
  spin?: Float64Array;
  /** 6 x n, or 3 x n: velocity, then spin, by the rates of the coordinates. */
  jacobian: SparseMatrix;
}

export interface Mode {
  /** Without damping [Hz]; 0 for rigid, hidden and growing ones. */
  frequency: number;
  /** Rate at which a motion leaves an unstable equilibrium [1/s]; else 0. */
  growth: number;
  /** Damping ratio; above 1 it creeps back. */
  damping: number;
  /** Nothing resists it. */
  rigid: boolean;
  /** Up to which round-off hides its frequency, where it deforms bodies [Hz]; else 0. */
  hidden: number;
  /** The damping ratio is that of the undamped shape. */
  estimate: boolean;
  /** One number per coordinate; the largest motion is as long as the structure, or 1 rad. */
  shape: Float64Array;
}

export interface CriticalLoad {
  /** Times all loads of the scene. */
  factor: number;
  shape: Float64Array;
}

/** Methods throw an EngineError with code 3 where a scene has no such equations. Call `dispose()` when done. */
export interface Machine {
  coordinates(): string[];
  /** All names that `linearize` takes as inputs. */
  inputs(): string[];
  /** What acts and is in no matrix, in words. */
  omitted(): string[];
  /**
   * Coordinates and their rates: places in the world, angles, strains; of joints with several rotations the rotation vector
   * and the angular velocity as the link sees it.
   */
  state(): { q: Float64Array; v: Float64Array };
  /** Moves on to these coordinates with these rates (default none) and closes loops again. */
  setState(q: ArrayLike<number>, v?: ArrayLike<number>): void;
  /** Where a place is and how it moves: "rod:last", "sheet@[0, 0.1, 0]", "arm/limb@0.5". */
  kinematics(place: string): Kinematics;
  /** `inputs`: default tensions, efforts that the scene gives, live parameters; `outputs`: default all columns of probes. */
  linearize(options?: { inputs?: string[]; outputs?: string[]; space?: boolean }): Linearization;
  /** d(column)/d(coordinate), or by the rates of coordinates. */
  jacobian(columns: string[], options?: { rates?: boolean }): SparseMatrix;
  /** All columns of probes at this state, in the order of `info().columns`. */
  values(): Float64Array;
  /** Moves the coordinates, gives them rates (default none) and closes loops again. */
  displace(moves: ArrayLike<number>, rates?: ArrayLike<number>): void;
  /** The nearest coordinates at which columns of probes have these values. */
  solveFor(values: Record<string, number>, options?: { tolerance?: number }): void;
  /** The lowest ones about an equilibrium. */
  modes(count?: number): Mode[];
  criticalLoads(count?: number): CriticalLoad[];
  /** Positions of the drawing's points, displaced by `size` times a shape [m]. */
  shaped(shape: ArrayLike<number>, size: number): Float32Array;
  dispose(): void;
}

export interface SensitivityOptions {
  /** The parameters to differentiate by. */
  with: string[];
  /** Parameters that are set. */
  overrides?: Record<string, number>;
  /**
   * Changes that are large for some of those parameters, in their units, as the width of a range is: needed where a value
   * is 0 and has no range.
   */
  scales?: Record<string, number>;
}

/** What makes a derivative doubtful; `message` says it in words. */
export type Doubt =
  /** A step that ended at `time` [s] was cut: with other parameters it might be cut elsewhere. */
  | { kind: 'cut'; message: string; time: number }
  /** At `time` one side does what the other does not: slopes to either side. The derivative is their mean. */
  | {
      kind: 'kink';
      message: string;
      time: number;
      column: string;
      parameter: string;
      upward: number;
      downward: number;
    }
  /** Up to `time` the motion runs away: no derivative says where it goes. */
  | { kind: 'growth'; message: string; time: number; column: string; parameter: string };

/**
 * A run that carries the derivatives of all that its probes measure. Its steps are those of a Simulation, bit for bit. See
 * docs/sensitivities.md. Call `dispose()` when done.
 */
export interface Sensitivities {
  /** The parameters to differentiate by. */
  readonly with: string[];
  readonly time: number;
  readonly duration: number;
  readonly finished: boolean;
  info(): SceneInfo;
  /**
   * One accepted step, of the run and of its derivatives. Throws an EngineError with code 3 where the solver gives up, or
   * the derivatives cannot follow.
   */
  step(): Progress;
  /** Steps until `seconds` have passed or the scene's duration is reached. */
  advance(seconds: number): Progress;
  /** As `advance`, but returns after about `budget` seconds of wall time at the latest (always at a step's end). */
  advanceFor(seconds: number, budget: number): Progress;
  /** Probe columns and states by flat name. */
  probes(): Record<string, number>;
  /** The same in the order of `info().columns`; a view, valid until the next call. */
  probeValues(): Float64Array;
  /**
   * d(column)/d(parameter) at the last accepted state, in the column's unit over the parameter's, in the order of
   * `info().columns`; a view, valid until the next call. Throws a TypeError for what is not in `with`.
   */
  slopes(parameter: string): Float64Array;
  /** The same by name: `gradients()['tip.z'].E`. */
  gradients(): Record<string, Record<string, number>>;
  /** Of the run so far: the first cut, and of each parameter the worst kink and the worst growth. */
  doubts(): Doubt[];
  dispose(): void;
}

export interface ResidualOptions extends SensitivityOptions {
  /** m probes at times: "tip.z@0.5" in seconds, "tip.z@end" or "tip.z" at the end of the run. */
  of: string[];
  /** m numbers in the probes' units; default 0. */
  data?: ArrayLike<number>;
  /** m standard deviations or scales, more than 0; default 1. */
  sigma?: ArrayLike<number>;
}

/**
 * r_i(x) = (value of probe i - data_i) / sigma_i as a function of x, the values of the n parameters of `with`: what an
 * optimizer asks for. Each x is a whole run; the last one is kept, so that `jacobian` and `vjp` at the same x cost one run
 * together. Methods throw an EngineError with code 2 and `problems` where the scene is not valid at x, without `problems`
 * for an x or v of another size and where there is no derivative, with code 3 where the run gives up. Call `dispose()` when
 * done.
 */
export interface Residuals {
  readonly with: string[];
  /** What the m residuals are of, times in [s]. */
  readonly of: { column: string; time: number }[];
  /** The n values that the scene, or `overrides`, gives x. */
  readonly start: Float64Array;
  /** m numbers. */
  residual(x: ArrayLike<number>): Float64Array;
  /** m x n numbers d(r_i)/d(x_j), row by row. */
  jacobian(x: ArrayLike<number>): Float64Array;
  /** n numbers: the Jacobian's transpose times v; of v = r the gradient of half of the sum of squares. */
  vjp(x: ArrayLike<number>, v: ArrayLike<number>): Float64Array;
  /** Of the last Jacobian. */
  doubts(): Doubt[];
  dispose(): void;
}

export interface Engine {
  readonly version: string;
  /** Builds the scene at t = 0. Throws an EngineError with code 2 and `problems`. */
  simulation(sceneText: string, overrides?: Record<string, number>): Simulation;
  /**
   * A run with derivatives, at t = 0. Throws as `simulation`, and an EngineError with code 2 without `problems` for what has
   * no derivative: an unknown parameter, one that is a formula of others, a choice of a menu, a count, or what the solver's
   * steps depend on. It needs the second part of the engine, `rest`.
   */
  sensitivities(sceneText: string, options: SensitivityOptions): Sensitivities;
  /** Residuals of runs for an optimizer. Throws as `sensitivities`, and for probes, data and sigma that do not fit. */
  residuals(sceneText: string, options: ResidualOptions): Residuals;
  /** All problems of a text (empty: it loads), and its warnings. */
  validate(sceneText: string): { problems: Problem[]; warnings: Problem[] };
  /** The scene with `repeat` and `defaults` resolved, as JSON. */
  expand(sceneText: string): string;
  /** A MAT-DiSMech geometry text or a Wavefront text (.obj) as a scene. */
  importGeometry(text: string): string;
  /** The JSON Schema of scene files. */
  schema(): string;
}

export type WebAssemblySource = string | URL | ArrayBuffer | Uint8Array | Response | WebAssembly.Module;

export interface LoadOptions {
  /**
   * `tendril.wasm`, default beside the module, which is what most scenes of rods and shells need: where it is (in Node also
   * a path or a `file:` URL), its bytes, a response that brings them, or compiled, as for several workers.
   */
  wasm?: WebAssemblySource;
  /**
   * `tendril-rest.wasm` of the same build, default beside the module: linkages, vines and what few scenes need. A function
   * is called when a scene first needs it, and must have it then: compiled before, or read by a synchronous request, which
   * workers may make. What it throws comes out of the call that needed it, which then has changed nothing (for that, calls
   * that step save the state first until the part is there). Anything else is compiled before the engine is there; the
   * default is too, but in Node, where it is compiled when it is needed.
   */
  rest?: WebAssemblySource | (() => WebAssembly.Module | ArrayBuffer | Uint8Array);
}

/** Loads the engine. Rejects where the .wasm cannot be fetched or read, or is not the engine's, or `rest` does not go with it. */
export function loadEngine(options?: LoadOptions): Promise<Engine>;

/** Whether a scene's text speaks of linkages, vines or potentials, which `rest` brings: fetch it along. */
export function needsRest(sceneText: string): boolean;

/**
 * The text of a scene: by its URL; in Node also by a path or a `file:` URL. Rejects where it cannot be read; with an
 * EngineError, `code` 2 and one of `problems`, where it is not UTF-8.
 */
export function readScene(place: string | URL): Promise<string>;

export interface CheckOptions {
  /** Parameters of all runs; those of a check's own `with` go before them. */
  overrides?: Record<string, number>;
  /** Only the checks of these titles; rejects where no scene has one, unless some scene does not tell its titles. */
  only?: string[];
  /** Seconds of real time for a scene, greater than 0, looked at about every 0.1 s, between steps: its open checks then fail. */
  limit?: number;
}

/** A check of a scene, or one of its own kind: "loads", "runs to its end" (without points). */
export interface SceneCheck {
  title: string;
  passed: boolean;
  /** When it was decided [s]. */
  at: number;
  points: number;
  /** Every probe column in its formula, at that time. */
  values: Record<string, number>;
  /** The parameters of its own run. */
  with?: Record<string, number>;
  /** Why it was not decided, or failed without a number. */
  reason?: string;
}

/** As `tendril check --json` writes it, number by number to round-off. */
export interface CheckReport {
  scenes: {
    /** The path, URL or name that the scene was given by. */
    scene: string;
    status: 'done' | 'bad scene' | 'gave up' | 'out of time';
    /** Of other statuses than done. */
    reason?: string;
    /** Of a bad scene: "name:line:column: message (at pointer)". */
    problems?: string[];
    /** In the order in which the runs decide them. */
    checks: SceneCheck[];
    wallSeconds: number;
  }[];
  passed: number;
  failed: number;
  points: number;
  possiblePoints: number;
  version: string;
}

/**
 * Runs scenes one after another and evaluates their checks; all passed: `failed` is 0. Scenes that do not load or give up
 * fail their checks, the rest go on. A scene is a URL, in Node also a path, or `{ name, text }`. Rejects where one cannot
 * be read.
 */
export function checkAll(
  engine: Engine,
  scenes: Iterable<string | URL | { name?: string; text: string }>,
  options?: CheckOptions,
): Promise<CheckReport>;
