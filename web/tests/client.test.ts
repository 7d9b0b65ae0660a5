// The page's end of the worker: it notices silence, and a new worker goes on where the last save was made.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EngineClient } from '../src/engine/client';
import type { Reply, Request } from '../src/engine/protocol';
import { Runner } from '../src/engine/runner';
import { fakeEngine } from './fakeEngine';

/** A worker without a thread: answers through a real runner until it is blocked or ended. */
class InlineWorker {
  onmessage: ((event: { data: Reply }) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  ended = false;
  blocked = false;
  readonly heard: Request[] = [];
  readonly runner = new Runner(fakeEngine, {
    now: () => performance.now() / 1000,
    post: (reply) => {
      if (!this.blocked) this.onmessage?.({ data: reply });
    },
  });

  postMessage(request: Request): void {
    if (this.ended || this.blocked) return;
    this.heard.push(request);
    this.runner.handle(request);
  }

  terminate(): void {
    this.ended = true;
  }
}

let workers: InlineWorker[];
let client: EngineClient;

beforeEach(() => {
  vi.useFakeTimers();
  workers = [];
  client = new EngineClient(() => {
    const worker = new InlineWorker();
    workers.push(worker);
    return worker as unknown as Worker;
  });
  client.on('snapshot', ({ buffer }) => client.recycle(buffer));
});
afterEach(() => vi.useRealTimers());

const run = (seconds: number): void => {
  for (let t = 0; t < seconds; t += 0.02) {
    vi.advanceTimersByTime(20);
    const worker = workers[workers.length - 1];
    if (!worker.blocked) worker.runner.tick();
  }
};

describe('the client', () => {
  it('waits for no answer to what only a scene answers, before there is one', () => {
    const late = vi.fn();
    client.onLate = late;
    workers[0].onmessage?.({ data: { type: 'ready', version: '' } as Reply });
    client.send({ type: 'loop', value: true });
    client.send({ type: 'field', field: null });
    vi.advanceTimersByTime(5000);
    expect(late).not.toHaveBeenCalled();
    workers[0].blocked = true;
    client.load('{"duration": 10}', {}, true);
    vi.advanceTimersByTime(3000);
    expect(late).toHaveBeenCalled();
  });

  it('passes replies on and stays quiet while they come', () => {
    const late = vi.fn();
    client.onLate = late;
    const times: number[] = [];
    client.on('status', ({ time }) => times.push(time));
    client.load('{}', {}, true);
    run(4);
    expect(times.at(-1)).toBeGreaterThan(3.5);
    expect(late).not.toHaveBeenCalled();
  });

  it('tells how long an answer is late, and that it came', () => {
    const late = vi.fn();
    client.onLate = late;
    client.load('{}', {}, true);
    run(1);
    workers[0].blocked = true;
    run(3);
    expect(late.mock.calls.at(-1)?.[0]).toBeGreaterThan(2);
    workers[0].blocked = false;
    run(0.3);
    expect(late).toHaveBeenLastCalledWith(0);
  });

  it('calls nothing late that an engine which failed was to answer, until there is another', () => {
    const late = vi.fn();
    client.onLate = late;
    client.load('{}', {}, true);
    workers[0].blocked = true;
    workers[0].onmessage?.({ data: { type: 'broken', message: 'no connection' } });
    expect(client.hasCome).toBe(false);
    run(3);
    expect(late).not.toHaveBeenCalled();
    client.replace();
    workers[1].blocked = true;
    client.load('{}', {}, true);
    run(3);
    expect(late).toHaveBeenCalled();
  });

  it('knows that a text is being checked, until it is or its engine is gone', () => {
    client.load('{}', {}, false);
    run(0.5);
    client.validate('{}');
    expect(client.isChecking).toBe(false);
    workers[0].blocked = true;
    client.validate('{"title": "Long"}');
    expect(client.isChecking).toBe(true);
    client.replace();
    expect(client.isChecking).toBe(false);
  });

  it('tells soon that a scene is being loaded, and can leave that for the scene before', () => {
    client.load('{"title": "Small"}', {}, false);
    run(0.5);
    const late = vi.fn();
    client.onLate = late;
    workers[0].blocked = true;
    client.load('{"title": "Large"}', {}, false);
    run(1);
    expect(late.mock.calls.length).toBeGreaterThan(0);
    expect(client.isLoading).toBe(true);
    const titles: string[] = [];
    client.on('loaded', ({ info }) => titles.push(info.title));
    client.stopLoading();
    expect(client.isLoading).toBe(false);
    expect(late).toHaveBeenLastCalledWith(0);
    expect(workers[0].ended).toBe(true);
    expect(titles).toEqual(['Small']);
  });

  it('waits for an engine that is on its way over a slow line', () => {
    workers[0].blocked = true;
    run(3);
    client.load('{}', {}, true);
    expect(workers).toHaveLength(1);
    workers[0].blocked = false;
    workers[0].onmessage?.({ data: { type: 'ready', version: '1' } });
    client.load('{}', {}, true);
    workers[0].blocked = true;
    run(3);
    client.load('{}', {}, true);
    expect(workers).toHaveLength(2);
  });

  it('is not late while nothing is asked of it', () => {
    const late = vi.fn();
    client.onLate = late;
    client.load('{}', {}, false);
    run(10);
    expect(late).not.toHaveBeenCalled();
  });

  it('replaces a blocked worker by one that stands, paused, at the last save with the same values', () => {
    client.load('{"title": "Kept"}', { E: 3e6 }, true);
    run(3.5);
    client.send({ type: 'set', name: 'E', value: 5e6 });
    workers[0].blocked = true;
    run(2);
    const seen: Reply[] = [];
    client.on('loaded', (reply) => seen.push(reply));
    client.on('status', (reply) => seen.push(reply));
    client.replace();
    expect(workers[0].ended).toBe(true);
    expect(workers).toHaveLength(2);
    const loaded = seen.find((reply) => reply.type === 'loaded');
    expect(loaded?.info.title).toBe('Kept');
    expect(loaded?.info.parameters.find(({ name }) => name === 'E')?.value).toBe(5e6);
    const status = seen.filter((reply) => reply.type === 'status').at(-1);
    expect(status?.playing).toBe(false);
    expect(status?.time).toBeGreaterThan(2);
    expect(status?.time).toBeLessThan(3.6);
  });
});
