// Everything that crosses between the page and the worker that runs the engine, in one place.
// Arrays travel as transferables; a snapshot's buffer comes back with `recycle`, two of them are in use.
import type { Drawing, Mode, Problem, SceneInfo } from '@tendril/engine';
import type { CheckProgress, Verdict } from './checkRuns';
import type { Counts } from './moment';
import type { LeftOut } from './takenValues';

export type Field = 'curvature' | 'strain' | 'energy';

/** The drawing without what the page does not need; its typed arrays are copies. */
export type DrawingData = Drawing;

export type Request =
  /** Builds a scene, from a geometry text too. `id` comes back with the answer; a newer load makes an older one void. */
  | { type: 'load'; id: number; text: string; set: Record<string, number>; play: boolean; at?: Uint8Array }
  | { type: 'validate'; id: number; text: string }
  | { type: 'play' }
  | { type: 'pause' }
  | { type: 'step' }
  | { type: 'reset' }
  /** Simulated seconds per second; Infinity: as fast as the machine goes. */
  | { type: 'speed'; value: number }
  /** A run that has ended starts again by itself. */
  | { type: 'loop'; value: boolean }
  /** Statics: to the load step nearest to `time`, or to the next one (1) or the one before (-1). */
  | { type: 'seek'; time?: number; by?: 1 | -1 }
  /**
   * `held`: by a key that plays, for as long as it is down; a run that has ended stays. `play`: a run that stands begins,
   * unless the value is refused.
   */
  | { type: 'set'; name: string; value: number; held?: boolean; play?: boolean }
  | { type: 'field'; field: Field | null }
  /** Asks for the present picture again. */
  | { type: 'show' }
  | { type: 'grab'; point: number; target: [number, number, number] }
  | { type: 'release' }
  | { type: 'restore'; bytes: Uint8Array }
  | { type: 'recycle'; buffer: ArrayBuffer }
  /** The lowest modes about the present state; a run that plays is paused. */
  | { type: 'modes'; count: number }
  /** Runs all checks of a text in fresh simulations, beside the running scene; a load ends it. */
  | { type: 'runChecks'; text: string }
  | { type: 'stopChecks' };

/** Before all requests: the first part of the engine, and the second one or where it is; null: the worker finds both. */
export interface EngineFile {
  type: 'engine';
  parts: { first: WebAssembly.Module; rest: WebAssembly.Module | string } | null;
}

/** From a worker that has fetched the second part, for those that come after it. */
export interface EnginePart {
  type: 'part';
  rest: WebAssembly.Module;
}

/** Counts since the scene's start or last reset. */
export interface Totals {
  steps: number;
  iterations: number;
  retries: number;
}

export interface StatusReply extends Totals {
  type: 'status';
  time: number;
  playing: boolean;
  finished: boolean;
  /** The run is ahead of what the page was sent: another status comes with that. */
  late: boolean;
  /** Simulated seconds per second over the last half second of play; NaN when unknown. */
  factor: number;
  /** The solver could not keep the speed asked for. */
  limited: boolean;
}

export interface SnapshotReply {
  type: 'snapshot';
  time: number;
  /** The moment's lists one after the other, then the field's values if `field` is set: moment.ts reads it. */
  buffer: ArrayBuffer;
  counts: Counts;
  field: Field | null;
  /** Not the continuation of the last one: draw it at once, without blending. */
  jump: boolean;
  /** Probe rows since the last snapshot: time, then the columns, row after row. */
  rows: Float64Array;
  /** The rows start a new history. */
  fresh: boolean;
  /** Of the same run, which has gone to another of its load steps. */
  sought: boolean;
  /** The drawing, when it changed. */
  drawing: DrawingData | null;
}

export interface LoadedReply {
  type: 'loaded';
  id: number;
  /** Of the scene; of a geometry text it is what that became. */
  text: string;
  /** Values of the request's `set` that the scene does not take: it runs without them. */
  left: LeftOut[];
  info: SceneInfo;
  drawing: DrawingData;
  /** The drawing's points at t = 0, wherever the run stands: 3 numbers each [m]. */
  rest: Float32Array;
}

export interface ShownMode extends Omit<Mode, 'shape'> {
  /** How far the drawing's points move from where they stand, 3 numbers each [m]. */
  away: Float32Array;
}

export interface ModesReply {
  type: 'modes';
  time: number;
  modes: ShownMode[];
  /** As a sentence, why there are none; empty: there are. */
  words: string;
  /** What acts on the scene and not in its modes. */
  omitted: string[];
}

export interface GaveUpReply {
  type: 'gaveUp';
  time: number;
  message: string;
  /** The message as a sentence. */
  words: string;
  /** Of the messages of `retried`: the one that gave the same reason; empty: none. */
  repeats: string;
}

export type Reply =
  | { type: 'ready'; version: string }
  | LoadedReply
  | { type: 'refused'; id: number; text: string; message: string; problems: Problem[] }
  | { type: 'validated'; id: number; problems: Problem[]; warnings: Problem[] }
  | SnapshotReply
  | StatusReply
  /** After `set`: all parameters, since others may follow from the one set. `ended`: it starts again because it was over. */
  | {
      type: 'parameters';
      parameters: SceneInfo['parameters'];
      acting: SceneInfo['acting'];
      duration: number;
      restarted: boolean;
      ended: boolean;
    }
  | { type: 'setRefused'; name: string; value: number; message: string }
  /** `messages`: sentences. */
  | { type: 'retried'; time: number; count: number; messages: string[] }
  | GaveUpReply
  | ModesReply
  /** What the run on screen has decided, one per check of the scene. */
  | { type: 'checks'; verdicts: (Verdict | null)[] }
  /** News of `runChecks`. */
  | ({ type: 'checkRuns' } & CheckProgress)
  | { type: 'saved'; time: number; bytes: Uint8Array }
  /** Something waits for the second part of the engine, or nothing any longer. */
  | { type: 'fetching'; on: boolean }
  /** That part did not arrive: the request can be sent again. null: the run needs it, and was paused. */
  | { type: 'unfetched'; request: Request | null }
  /** The engine itself could not start, or failed in a way that it does not know. */
  | { type: 'broken'; message: string };
