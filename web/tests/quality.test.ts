// The quality of pictures: what lowers it, what does not, and that it comes back.
import { beforeEach, describe, expect, it } from 'vitest';
import { bestLevel, Quality } from '../src/view/quality';

let now = 0;
let changes = 0;
let quality: Quality;

/** Pictures back to back that take so long each [ms]. */
const pictures = (count: number, took: number): void => {
  for (let i = 0; i < count; ++i) {
    quality.drawn(now, true);
    now += took;
    quality.done(now);
  }
};

beforeEach(() => {
  now = 1000;
  changes = 0;
  quality = new Quality(() => {
    changes += 1;
  });
  pictures(20, 16);
});

describe('the quality of pictures', () => {
  it('stays through idle time between single pictures', () => {
    for (let i = 0; i < 200; ++i) {
      quality.drawn(now, false);
      now += 2000;
      quality.done(now);
    }
    expect(quality.ratio(2)).toBe(2);
    expect(quality.shadows).toBe(true);
    expect(changes).toBe(0);
  });

  it('stays when the page was hidden in the middle of a picture', () => {
    for (let i = 0; i < 50; ++i) {
      quality.drawn(now, true);
      quality.interrupt();
      now += 60_000;
      quality.done(now);
      pictures(5, 16);
    }
    expect(quality.ratio(2)).toBe(2);
  });

  it('stays while scenes come in, whose first pictures take long', () => {
    for (let i = 0; i < 20; ++i) {
      quality.newScene();
      pictures(4, 700);
      pictures(10, 16);
    }
    expect(quality.ratio(2)).toBe(2);
  });

  it('is not lowered by one picture that took long', () => {
    pictures(1, 20_000);
    pictures(5, 16);
    pictures(1, 20_000);
    expect(quality.now).toBe(bestLevel);
  });

  it('is lowered by slow pictures back to back, one step after the other', () => {
    pictures(11, 120);
    expect(quality.now).toBe(bestLevel - 1);
    expect(quality.shadows).toBe(false);
    expect(quality.ratio(2)).toBe(1);
    pictures(100, 120);
    expect(quality.now).toBe(0);
    expect(quality.ratio(2)).toBe(0.5);
  });

  it('is lowered within ten pictures where each takes a second', () => {
    quality.newScene();
    pictures(9, 1000);
    expect(quality.now).toBeLessThan(bestLevel);
  });

  it('is lowered by the third picture of a scene where each takes longer than a second', () => {
    quality.newScene();
    pictures(2, 1400);
    expect(quality.now).toBe(bestLevel);
    pictures(1, 1400);
    expect(quality.now).toBe(bestLevel - 2);
    pictures(1, 1400);
    expect(quality.now).toBe(bestLevel - 2);
    pictures(1, 1400);
    expect(quality.now).toBe(0);
  });

  it('comes back with quick pictures, and later each time that it was too early', () => {
    const untilBack = (): number => {
      const from = now;
      while (quality.now < bestLevel) pictures(1, 16);
      return now - from;
    };
    pictures(11, 120);
    const first = untilBack();
    expect(first).toBeLessThan(4000);
    pictures(11, 120);
    const second = untilBack();
    expect(second).toBeGreaterThan(1.8 * first);
    pictures(400, 16);
    pictures(11, 120);
    expect(untilBack()).toBeLessThan(1.1 * second);
  });

  it('is the best for a picture that stands, and as before when something moves', () => {
    pictures(30, 120);
    const { now: moving } = quality;
    expect(moving).toBeLessThan(bestLevel);
    expect(quality.stand()).toBe(true);
    expect(quality.now).toBe(bestLevel);
    expect(quality.stand()).toBe(false);
    quality.move();
    expect(quality.now).toBe(moving);
  });

  it('is what a person has chosen', () => {
    quality.choose('best');
    pictures(100, 300);
    expect(quality.ratio(2)).toBe(2);
    quality.choose('fast');
    expect(changes).toBe(1);
    pictures(1000, 16);
    expect(quality.ratio(2)).toBe(0.75);
    expect(quality.shadows).toBe(false);
    expect(quality.stand()).toBe(false);
    quality.choose('auto');
    expect(quality.ratio(2)).toBe(2);
  });
});
