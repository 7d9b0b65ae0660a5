// The checks of several scenes, as `tendril check --json` reports them: same statuses, reasons and order.
import {
  requireEngine,
  requireLimit,
  requireObject,
  requireOptions,
  requireScenes,
  requireText,
  requireTitles,
} from './arguments.mjs';

/** Seconds of computing between pauses, in which a page stays alive and a limit is seen. */
const slice = 0.1;

const pause = () => new Promise((done) => setTimeout(done));

const describe = (name, { line, column, message, pointer }) =>
  `${name}:${line}:${column}: ${message}${pointer ? ` (at ${pointer})` : ''}`;

/** The checks that a text states although it does not load; undefined where it is not even JSON with comments. */
function stated(text) {
  let list;
  try {
    const plain = text.replace(/"(?:\\.|[^"\\])*"|\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g, (match) =>
      match[0] === '"' ? match : ' ',
    );
    list = JSON.parse(plain).checks;
  } catch {
    return undefined;
  }
  if (!Array.isArray(list)) return [];
  return list.map((check, index) => ({
    title: String(check?.title || check?.expect || `check ${index + 1}`),
    points: typeof check?.points === 'number' && check.points >= 0 ? check.points : 1,
    with: check?.with && typeof check.with === 'object' ? check.with : null,
  }));
}

/** Runs that ask for the same parameters, once those of the call are added, are one. */
function joined(runs, overrides) {
  const byValues = new Map();
  for (const { with: own, indices } of runs) {
    const values = { ...overrides, ...own };
    const key = JSON.stringify(Object.entries(values).sort());
    const run = byValues.get(key) ?? { values, indices: [] };
    run.indices = [...run.indices, ...indices].sort((a, b) => a - b);
    byValues.set(key, run);
  }
  return [...byValues.values()];
}

class SceneChecks {
  constructor(engine, { name, text, unreadable }, { overrides, only, limit }) {
    Object.assign(this, { engine, name, text, unreadable, overrides, limit });
    this.wants = (check) => !only || only.includes(check.title);
    this.began = performance.now();
    this.result = { scene: name, status: 'done', checks: [] };
    this.open = new Set();
    this.checks = [];
    /** Whether the titles of its checks are known. */
    this.isKnown = true;
  }

  get spent() {
    return (performance.now() - this.began) / 1e3;
  }

  end(status, reason) {
    Object.assign(this.result, { status, reason });
  }

  add(index, { title, points, passed = false, at = 0, values = {} }, own, reason) {
    this.open.delete(index);
    this.result.checks.push({
      title,
      passed,
      at,
      points,
      values,
      ...(own && { with: own }),
      ...(reason && { reason }),
    });
  }

  refuse(error) {
    if (error.problems) {
      this.result.problems = error.problems.map((problem) => describe(this.name, problem));
      this.end('bad scene', 'the scene does not load');
    } else if (error.code === 3) {
      this.end('gave up', error.message);
    } else {
      throw error;
    }
  }

  /** Takes `sim` to its end; why it did not get there, or nothing. */
  async drive(sim) {
    while (!sim.finished) {
      try {
        sim.advanceFor(sim.duration, Math.min(slice, Math.max(0, this.limit - this.spent)));
      } catch (error) {
        this.refuse(error);
        return this.result.reason;
      }
      if (!sim.finished && this.spent > this.limit) {
        this.end('out of time', `took longer than ${this.limit} s`);
        return `${this.result.reason} at t = ${Number(sim.time.toPrecision(6))} s`;
      }
      await pause();
    }
    return undefined;
  }

  async runGroup(sim, indices) {
    const why = await this.drive(sim);
    const decided = new Map(sim.checks().map((check) => [check.index, check]));
    const unfinished = { title: 'runs to its end', points: 0, at: sim.time };
    let failed = false;
    for (const index of indices) {
      const check = this.checks[index];
      const result = decided.get(index);
      failed ||= !result;
      if (result) this.add(index, result, check.with, result.reason);
      else this.add(index, { ...check, at: sim.time }, check.with, why ?? 'its time was never reached');
    }
    if (why && !failed) this.add(-1, unfinished, null, why);
  }

  async runAll(main) {
    const info = main.info();
    this.checks = info.checks;
    const wanted = (index) => this.wants(this.checks[index]);
    this.open = new Set([...this.checks.keys()].filter(wanted));
    let runs = info.checkRuns
      .map((run) => ({ ...run, indices: run.indices.filter(wanted) }))
      .filter((run) => run.indices.length);
    runs = joined(runs, this.overrides);
    if (this.checks.length === 0) runs = [{ values: this.overrides, indices: [] }];
    for (const { values, indices } of runs) {
      if (this.result.status === 'out of time') return;
      let sim = main;
      try {
        if (Object.keys(values).some((name) => values[name] !== this.overrides[name]))
          sim = this.engine.simulation(this.text, values);
      } catch (error) {
        this.refuse(error);
        if (error.problems) continue; // open, until it is known that it does not load
        for (const index of indices) this.add(index, this.checks[index], this.checks[index].with, this.result.reason);
        continue;
      }
      try {
        await this.runGroup(sim, indices);
      } finally {
        if (sim !== main) sim.dispose();
      }
    }
  }

  /** Checks that no run decided fail, and so does a scene that has none and did not end. */
  complete() {
    const { scene, checks, status, reason, problems } = this.result;
    if (status === 'bad scene' && problems) {
      const many = problems.length === 1 ? '' : `${problems.length} problems, the first: `;
      this.add(-1, { title: 'loads', points: 0 }, null, many + problems[0]);
    }
    for (const index of [...this.open]) this.add(index, this.checks[index], this.checks[index].with, reason);
    if (status !== 'done' && checks.every((check) => check.passed))
      this.add(-1, { title: 'runs to its end', points: 0 }, null, reason);
    return { scene, status, ...(reason && { reason }), ...(problems && { problems }), checks, wallSeconds: this.spent };
  }

  async run() {
    let main;
    try {
      if (this.unreadable) throw this.unreadable;
      main = this.engine.simulation(this.text, this.overrides);
    } catch (error) {
      this.refuse(error);
      const list = this.unreadable ? undefined : stated(this.text);
      this.isKnown = list !== undefined;
      this.checks = list ?? [];
      for (const [index, check] of this.checks.entries()) if (this.wants(check)) this.open.add(index);
      return this.complete();
    }
    try {
      await this.runAll(main);
    } finally {
      main.dispose();
    }
    return this.complete();
  }
}

/** A scene as `checkAll` takes it, `{name, text}` or where it is, read; `unreadable`: its file is no text. */
async function opened(scene, readScene) {
  if (typeof scene === 'object' && scene !== null && 'text' in scene)
    return { name: String(scene.name ?? 'scene'), text: requireText(scene.text, 'the text of a scene') };
  const name = scene instanceof URL ? scene.href : scene;
  try {
    return { name, text: await readScene(scene) };
  } catch (error) {
    if (error.problems) return { name, unreadable: error };
    throw error;
  }
}

/** A title that no scene has is a typing error, unless the titles of some scene are unknown. */
function refuseUnknownTitles(runs, only) {
  if (!runs.length || !runs.every(({ isKnown }) => isKnown)) return;
  const known = new Set(runs.flatMap(({ checks }) => checks.map(({ title }) => title)));
  for (const title of only) if (!known.has(title)) throw new Error(`only: no check is called "${title}"`);
}

export async function runChecks(readScene, engine, scenes, options = {}) {
  requireEngine(engine);
  requireScenes(scenes);
  const {
    overrides = {},
    only,
    limit = Infinity,
  } = requireOptions(options, 'checkAll', ['overrides', 'only', 'limit']);
  requireObject(overrides, 'overrides');
  if (only !== undefined) requireTitles(only);
  requireLimit(limit);
  const runs = [];
  const results = [];
  for (const scene of scenes) {
    runs.push(new SceneChecks(engine, await opened(scene, readScene), { overrides, only, limit }));
    results.push(await runs.at(-1).run());
  }
  if (only) refuseUnknownTitles(runs, only);
  const lines = results.flatMap(({ checks }) => checks);
  const passed = lines.filter((check) => check.passed);
  const sum = (list) => list.reduce((points, check) => points + check.points, 0);
  return {
    scenes: results,
    passed: passed.length,
    failed: lines.length - passed.length,
    points: sum(passed),
    possiblePoints: sum(lines),
    version: engine.version,
  };
}
