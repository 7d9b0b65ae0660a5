// What keeps the work: addresses, entries of the browser's history, links without compression, chunks that fail.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { catalog } from '../src/scenes/catalog';
import { hasScene, knownText, prepareTexts, sceneOf, sceneText } from '../src/scenes/texts';
import { addressOf, readAddress } from '../src/share/address';
import { decode, encode } from '../src/share/codec';
import { type GuideSpot, Trail } from '../src/share/trail';
import { asWork, dropLast, keepLast, lastWorks, type Work } from '../src/share/work';
import { Chunk } from '../src/ui/chunk';
import { sceneFile } from './sceneFile';

const [one, two] = catalog;

/** A server of the scenes' texts; `asked` collects the addresses. */
function serveTexts(): { asked: string[] } {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    return new Response(sceneFile(/scenes\/([\w-]+)\.json/.exec(address)?.[1] ?? ''));
  });
  return { asked };
}

describe('texts of scenes', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('are fetched when they are wanted, once, and told apart then', async () => {
    const third = catalog[3].id;
    const { asked } = serveTexts();
    expect(hasScene(third)).toBe(true);
    expect(knownText(third)).toBeUndefined();
    const text = await sceneText(third);
    expect(await sceneText(third)).toBe(text);
    expect(text).toBe(sceneFile(third));
    expect(asked).toEqual([expect.stringMatching(new RegExp(`^\\./scenes/${third}\\.json\\?v=[0-9a-f]{8}$`))]);
    expect(knownText(third)).toBe(text);
    expect(sceneOf(text)).toBe(third);
    expect(sceneOf(`${text} `)).toBeUndefined();
  });

  it('that do not come are asked for again, in words', async () => {
    const fourth = catalog[4].id;
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    await expect(sceneText(fourth)).rejects.toThrow(/Is there a connection/);
    vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
    await expect(sceneText(fourth)).rejects.toThrow(/answered 404/);
    serveTexts();
    expect(await sceneText(fourth)).toBe(sceneFile(fourth));
    await expect(sceneText('no-such-scene')).rejects.toThrow(/no scene/);
  });

  it('come ahead of need one after the other, each once', async () => {
    const { asked } = serveTexts();
    await prepareTexts();
    expect(catalog.every(({ id }) => knownText(id) === sceneFile(id))).toBe(true);
    await prepareTexts();
    expect(new Set(asked).size).toBe(asked.length);
  });
});

describe('addresses', () => {
  beforeEach(() => void serveTexts());
  afterEach(() => vi.unstubAllGlobals());
  it('hold a scene and its values, shortly, and give them back', async () => {
    const set = { length: 0.25, E: 2e6, F: -1e-7, big: 1e21 };
    const address = addressOf({ scene: one.id, set });
    expect(address).toBe(`?scene=${one.id}&set=E:2000000,F:-1e-7,big:1e21,length:0.25`);
    const asked = await readAddress({ search: address, hash: '' });
    expect(asked).toMatchObject({ set, scene: one.id });
  });

  it('say nothing of values that are the text’s own', () => {
    expect(addressOf({ scene: one.id, set: {} })).toBe(`?scene=${one.id}`);
    expect(addressOf({ set: {} })).toBe('');
    expect(addressOf({ set: { E: 1 } })).toBe('');
  });

  it('keep the link of a shared scene, and values that differ from it', async () => {
    const hash = `#${await encode({ scene: '{}', set: { E: 1 } })}`;
    const asked = await readAddress({ search: '', hash });
    expect(asked).toMatchObject({ text: '{}', set: { E: 1 }, link: { address: hash } });
    const link = asked.link;
    if (!link) throw new Error('no link');
    expect(addressOf({ link, set: { E: 1 } })).toBe(hash);
    expect(addressOf({ link, set: { E: 2 } })).toBe(`?set=E:2${hash}`);
    expect(addressOf({ link, set: {} })).toBe(`?set=${hash}`);
    expect(await readAddress({ search: '?set=E:2', hash })).toMatchObject({ set: { E: 2 } });
    expect(await readAddress({ search: '?set=', hash })).toMatchObject({ set: {} });
  });

  it('leave out what is no value, and say so', async () => {
    const asked = await readAddress({
      search: `?scene=${one.id}&set=E:2e6,x:y,:3,n:1e999,m:-1e-400,f:1e+3,f:2,E:2000000`,
      hash: '',
    });
    expect(asked.set).toEqual({ E: 2e6, f: 1000 });
    expect(asked.unread).toEqual([
      '"y" is no number for "x".',
      '":3" is no name with a value, as in "E:2e6".',
      '"n" cannot be "1e999": it is too large to be represented.',
      '"m" cannot be "-1e-400": it is too small to be represented.',
      '"f" is set twice: 1000 is taken, "2" is not.',
    ]);
  });

  it('may set values in several places, and say what they name twice', async () => {
    const asked = await readAddress({ search: `?scene=${one.id}&set=E:2e6&set=L:1,E:3e6&scene=other`, hash: '' });
    expect(asked).toMatchObject({ scene: one.id, set: { E: 2e6, L: 1 } });
    expect(asked.unread).toEqual([
      '"E" is set twice: 2000000 is taken, "3e6" is not.',
      'A second scene is named: "other" is not opened.',
    ]);
  });

  it('may have parts that nobody reads, which are said; what other sites put there is not', async () => {
    const rest = 'was not understood: an address has "scene=", "guide=", and values as in "set=E:2e6".';
    const gallery = await readAddress({ search: `?scene=${one.id}&E=1e7&utm_source=mail&x`, hash: '#L=2&r=1' });
    expect(gallery).toMatchObject({ scene: one.id, set: {} });
    expect(gallery.unread).toEqual(['E=1e7', 'x', 'L=2', 'r=1'].map((part) => `"${part}" ${rest}`));
    const hash = `#${await encode({ scene: '{}', set: { E: 1 } })}`;
    const shared = await readAddress({ search: '', hash: `${hash}&E=1e7` });
    expect(shared).toMatchObject({ text: '{}', set: { E: 1 }, link: { address: hash }, unread: [`"E=1e7" ${rest}`] });
    expect((await readAddress({ search: '?E=2', hash: '' })).unread).toEqual([`"E=2" ${rest}`]);
    expect((await readAddress({ search: '?set=E:2', hash: '' })).unread).toEqual(['The address names no scene.']);
    for (const search of ['', '?guide=solver', `?scene=${one.id}&guide=solver`])
      expect((await readAddress({ search, hash: search ? '#newton' : '' })).unread).toEqual([]);
  });

  it('lead to files beside the page and to other addresses, and not out of its folder', async () => {
    vi.stubGlobal('location', new URL('https://page.example/tendril/'));
    const fetched: string[] = [];
    vi.stubGlobal('fetch', async (url: URL) => {
      fetched.push(url.href);
      return new Response('{}');
    });
    const open = (scene: string): Promise<unknown> =>
      readAddress({ search: `?${new URLSearchParams({ scene })}`, hash: '' });
    for (const outside of [
      '../x',
      '../x.json',
      'a/../../x.json',
      '/x.json',
      '//other.example/x.json',
      '\\x.json',
      '.',
      '..',
    ])
      await expect(open(outside)).rejects.toMatchObject({ message: `There is no scene "${outside}".` });
    expect(fetched).toEqual([]);
    for (const inside of ['x.json', 'a/x.json', './x.json', 'https://other.example/x.json']) await open(inside);
    expect(fetched.slice(0, 2)).toEqual([
      'https://page.example/tendril/x.json',
      'https://page.example/tendril/a/x.json',
    ]);
    expect(fetched.length).toBe(4);
    await expect(open('file:///x.json')).rejects.toThrow('not from file:');
  });

  it('that name no scene say so, with the name that is near, and ask no server', async () => {
    const { asked } = serveTexts();
    const find = (scene: string): Promise<unknown> => readAddress({ search: `?scene=${scene}`, hash: '' });
    await expect(find('nosuch')).rejects.toMatchObject({ message: 'There is no scene "nosuch".', near: null });
    await expect(find('cantilver')).rejects.toMatchObject({ near: 'cantilever' });
    expect(asked).toEqual([]);
  });

  it('name a page of the guide over the scene', () => {
    expect(addressOf({ scene: one.id, set: {} }, { page: 'scenes', heading: 'loads' })).toBe(
      `?scene=${one.id}&guide=scenes#loads`,
    );
  });
});

describe('links', () => {
  afterEach(() => vi.unstubAllGlobals());
  const shared = { scene: 'ü'.repeat(70_000), set: { E: 2e6 } };

  it('are made without compression where a browser has none, and are read everywhere', async () => {
    vi.stubGlobal('CompressionStream', undefined);
    const link = await encode(shared);
    vi.unstubAllGlobals();
    expect(await decode(link)).toEqual(shared);
    vi.stubGlobal('DecompressionStream', undefined);
    expect(await decode(link)).toEqual(shared);
  });

  it('that are compressed are refused in words where a browser cannot unpack them', async () => {
    const link = await encode(shared);
    vi.stubGlobal('DecompressionStream', undefined);
    await expect(decode(link)).rejects.toThrow(/too old to unpack links/);
  });
});

describe('chunks', () => {
  it('are asked for again after a failure, and once after a success', async () => {
    let asked = 0;
    const chunk = new Chunk(async () => {
      asked += 1;
      if (asked < 3) throw new Error('offline');
      return asked;
    });
    const ahead = chunk.prepare();
    await expect(chunk.get()).rejects.toThrow('offline');
    await expect(chunk.get()).rejects.toThrow('offline');
    await ahead;
    expect(await chunk.get()).toBe(3);
    expect(await chunk.get()).toBe(3);
  });
});

/** A browser's history, as far as it is used here. */
class FakeBrowser {
  readonly location = { pathname: '/tendril/' };
  readonly document = { visibilityState: 'visible', addEventListener: () => {} };
  readonly entries: { state: unknown; address: string }[] = [{ state: null, address: '/tendril/' }];
  at = 0;
  private heard: ((event: { state: unknown }) => void)[] = [];
  private hidden: (() => void)[] = [];
  readonly history = {
    get state(): unknown {
      return null;
    },
    pushState: (state: unknown, _: string, address: string) => {
      this.entries.splice(++this.at, Infinity, { state: structuredClone(state), address });
    },
    replaceState: (state: unknown, _: string, address: string) => {
      this.entries[this.at] = { state: structuredClone(state), address };
    },
    go: (by: number) => {
      this.at += by;
      for (const hear of this.heard) hear({ state: structuredClone(this.entries[this.at].state) });
    },
    back: () => this.history.go(-1),
  };

  addEventListener(type: string, handler: (event: { state: unknown }) => void): void {
    if (type === 'popstate') this.heard.push(handler);
    else this.hidden.push(handler as unknown as () => void);
  }
  setTimeout = (work: () => void): number => {
    this.timers.push(work);
    return this.timers.length;
  };
  clearTimeout = (id: number): void => {
    if (id > 0) this.timers[id - 1] = () => {};
  };
  readonly timers: (() => void)[] = [];
  runTimers(): void {
    for (const work of this.timers.splice(0)) work();
  }
}

describe('the trail', () => {
  const made = () => {
    const browser = new FakeBrowser();
    let work: Work | null = null;
    const opened: Work[] = [];
    const guides: (GuideSpot | null)[] = [];
    const addresses = { count: 0 };
    const trail = new Trail(
      {
        work: () => work,
        open: (asked) => opened.push(asked),
        openAddress: () => {
          addresses.count += 1;
        },
        guide: (spot) => guides.push(spot),
        scrolled: () => 7,
      },
      browser as unknown as Window,
    );
    trail.start();
    const show = (next: Work): void => {
      work = next;
    };
    return { browser, trail, opened, guides, show, addresses };
  };
  const first: Work = { title: 'One', scene: one.id, set: {} };
  const second: Work = { title: 'Two', scene: two.id, set: { E: 3 } };

  it('gives back what an entry had when it was left, unwritten changes too', () => {
    const { browser, trail, opened, show } = made();
    show(first);
    trail.arrived(null);
    trail.leave();
    show(second);
    trail.enter();
    expect(browser.entries.map(({ address }) => address)).toEqual([
      `/tendril/?scene=${one.id}`,
      `/tendril/?scene=${two.id}&set=E:3`,
    ]);
    show({ ...second, draft: 'just typed' });
    trail.changed();
    browser.history.back();
    expect(opened).toEqual([first]);
    show(first);
    trail.arrived(opened[0]);
    browser.history.go(1);
    expect(opened[1]).toMatchObject({ draft: 'just typed' });
  });

  it('does not write the scene on screen into an entry that waits for its own', () => {
    const { browser, trail, opened, show } = made();
    show(first);
    trail.arrived(null);
    show(second);
    trail.enter();
    browser.history.back();
    trail.changed();
    browser.runTimers();
    expect(browser.entries[0].address).toBe(`/tendril/?scene=${one.id}`);
    show(first);
    trail.arrived(opened[0]);
    expect(browser.entries[0].address).toBe(`/tendril/?scene=${one.id}`);
  });

  it('asks the address where an entry keeps no work', () => {
    const { browser, trail, opened, show, addresses } = made();
    show(first);
    trail.arrived(null);
    show({ title: 'Long', text: 'x'.repeat(2_000_000), set: {} });
    trail.enter();
    show(first);
    browser.history.back();
    trail.arrived(opened[0]);
    const reloaded = made();
    reloaded.browser.entries.push(browser.entries[1]);
    reloaded.show(first);
    reloaded.trail.arrived(null);
    reloaded.browser.history.go(1);
    expect(reloaded.opened).toEqual([]);
    expect(reloaded.addresses.count).toBe(1);
    expect(addresses.count).toBe(0);
  });

  it('goes through pages of the guide without opening the scene anew', () => {
    const { browser, trail, opened, guides, show } = made();
    show(first);
    trail.arrived(null);
    trail.enterGuide('index', '');
    trail.enterGuide('scenes', '');
    expect(trail.hasPageBefore).toBe(true);
    trail.back();
    expect(guides.at(-1)).toMatchObject({ page: 'index', scroll: 7 });
    expect(trail.hasPageBefore).toBe(false);
    browser.history.go(1);
    trail.leaveGuide();
    expect(guides.at(-1)).toBeNull();
    expect(browser.at).toBe(0);
    expect(opened).toEqual([]);
  });

  it('takes nothing from an entry that is no work', () => {
    expect(asWork(null)).toBeNull();
    expect(asWork({ set: {}, scene: 'no such scene' })).toBeNull();
    expect(asWork({ set: {}, text: 3 })).toBeNull();
    expect(asWork({ set: {}, text: '{}', camera: { position: [0, 0], target: [0, 0, 0] } })).toBeNull();
    expect(asWork({ set: {}, text: '{}' })).toEqual({ set: {}, text: '{}' });
  });
});

describe("texts of one's own", () => {
  const own = (title: string, text: string): Work => ({ title, text, set: {} });
  const store = new Map<string, string>();
  const day = 24 * 3600 * 1000;

  beforeEach(() => {
    store.clear();
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => store.get(name) ?? null,
      setItem: (name: string, value: string) => void store.set(name, value),
      removeItem: (name: string) => void store.delete(name),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it('of several tabs are kept side by side, the newest of each, for a week', () => {
    keepLast(own('A', '{1}'), 0, 'one');
    keepLast(own('B', '{2}'), 1000, 'two');
    keepLast(own('A', '{11}'), 2000, 'one');
    expect(lastWorks(3000).map(({ text }) => text)).toEqual(['{11}', '{2}']);
    for (const more of ['three', 'four']) keepLast(own(more, `{${more}}`), day, more);
    expect(lastWorks(day).map(({ title }) => title)).toEqual(['four', 'three', 'A']);
    expect(lastWorks(7.5 * day).map(({ title }) => title)).toEqual(['four', 'three']);
  });

  it('are those that were written, not a wrong file in their place', () => {
    keepLast({ title: 'A', scene: one.id, set: {}, draft: 'hello', behind: 'mine' }, 0, 'one');
    expect(lastWorks(0)[0].draft).toBe('mine');
  });

  it('are given up', () => {
    keepLast(own('B', '{2}'), 1000, 'two');
    keepLast(own('A', '{1}'), 1500, 'one');
    dropLast(2000);
    expect(lastWorks(2000).map(({ title }) => title)).toEqual(['B']);
    dropLast(2000);
    expect(lastWorks(2000)).toEqual([]);
    store.set('tendril.work', '{"now": 0, "work": {}}');
    expect(lastWorks(2000)).toEqual([]);
  });
});
