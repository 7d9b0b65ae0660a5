// The way through scenes and pages of the guide, as entries of the browser's history: each keeps the work that it shows, so
// that Back, Forward and a reload bring it back, and has an address that says what is seen.
import { addressOf } from './address';
import { asWork, isShort, keepLast, type Work } from './work';

export interface GuideSpot {
  page: string;
  heading: string;
  /** How far it is scrolled [px]. */
  scroll: number;
}

interface State {
  /** Of the scene: pages of the guide over it have the same. */
  id: string;
  work: Work | null;
  guide: GuideSpot | null;
  /** How many entries lie between here and the scene, and how many of them are pages of the guide. */
  depth: number;
  pages: number;
}

export interface TrailHost {
  /** What is before the person now; null before the first scene. */
  work(): Work | null;
  /** Back or Forward came to another scene. */
  open(work: Work): void;
  /** An entry without work: somebody has typed an address. */
  openAddress(): void;
  /** Shows a page of the guide, or none. */
  guide(spot: GuideSpot | null): void;
  /** How far the page of the guide is scrolled. */
  scrolled(): number;
}

/** Browsers refuse too many changes of the address in a short time [ms]. */
const atMostEvery = 400;

export class Trail {
  private state: State;
  private timer = 0;
  /** What this entry keeps is on its way to the screen: what is there belongs to another one. */
  private pending: Work | 'address' | null = null;
  /** What entries had when they were left, where the browser was quicker than the page. */
  private readonly recent = new Map<string, Work>();

  constructor(
    private readonly host: TrailHost,
    private readonly browser: Window = window,
  ) {
    this.state = asState(browser.history.state) ?? { id: newId(), work: null, guide: null, depth: 0, pages: 0 };
  }

  /** Follows the browser from now on; tells what this entry keeps, as after a reload. */
  start(): { work: Work | null; guide: GuideSpot | null } {
    const { browser } = this;
    browser.addEventListener('popstate', (event) => this.moved(event.state));
    browser.addEventListener('pagehide', () => this.write());
    browser.document.addEventListener('visibilitychange', () => {
      if (browser.document.visibilityState === 'hidden') this.write();
    });
    const { work, guide } = this.state;
    this.pending = work ?? 'address';
    return { work, guide };
  }

  /** A scene is on screen that belongs to this entry; `work`: it is what the entry keeps. */
  arrived(work: Work | null): void {
    if (work && this.pending !== work) return;
    this.pending = null;
    this.write();
  }

  /** There was nothing to open. */
  settle(): void {
    if (this.pending === 'address') this.pending = null;
  }

  /** What is on screen only stands in: the entry stays as it is until something is changed. */
  hold(): void {
    this.pending = null;
    this.browser.clearTimeout(this.timer);
    this.timer = 0;
  }

  /** Another scene is on screen: the next entry. */
  enter(): void {
    const work = this.host.work();
    this.state = { id: newId(), work, guide: null, depth: 0, pages: 0 };
    this.pending = null;
    this.browser.clearTimeout(this.timer);
    this.timer = 0;
    this.push();
  }

  /** Before another scene comes on screen: what was before it is kept as it is. */
  leave(): void {
    this.write();
  }

  /** Something has changed: it is kept soon. */
  changed(): void {
    this.timer ||= this.browser.setTimeout(() => this.write(), atMostEvery);
  }

  /** A page of the guide was opened over the scene, or over another page. */
  enterGuide(page: string, heading: string): void {
    this.write();
    const { guide, depth, pages } = this.state;
    this.state = { ...this.state, guide: { page, heading, scroll: 0 }, depth: depth + 1, pages: guide ? pages + 1 : 0 };
    this.push();
  }

  /** The address names a page of the guide. */
  startGuide(guide: GuideSpot): void {
    this.state = { ...this.state, guide };
  }

  /** The guide was closed: back to the scene, with its pages ahead. */
  leaveGuide(): void {
    const { guide, depth } = this.state;
    if (!guide) return;
    this.write();
    if (depth > 0) {
      this.browser.history.go(-depth);
      return;
    }
    this.state = { ...this.state, guide: null };
    this.replace();
  }

  /** There is a page of the guide before this one. */
  get hasPageBefore(): boolean {
    return this.state.guide !== null && this.state.pages > 0;
  }

  back(): void {
    this.write();
    this.browser.history.back();
  }

  private moved(raw: unknown): void {
    this.browser.clearTimeout(this.timer);
    this.timer = 0;
    const state = asState(raw);
    const left = this.pending ? null : this.host.work();
    if (left) this.recent.set(this.state.id, left);
    if (!state) {
      this.pending = 'address';
      this.state = { id: newId(), work: null, guide: null, depth: 0, pages: 0 };
      this.host.guide(null);
      this.host.openAddress();
      return;
    }
    const { id } = this.state;
    this.state = state;
    const work = this.recent.get(state.id) ?? state.work;
    this.state.work = work;
    if (state.id !== id) {
      this.pending = work ?? 'address';
      if (work) this.host.open(work);
      else this.host.openAddress();
    }
    this.host.guide(state.guide);
  }

  /** Keeps what is before the person now. */
  private write(): void {
    this.browser.clearTimeout(this.timer);
    this.timer = 0;
    const work = this.pending ? null : this.host.work();
    if (!work) return;
    const { guide } = this.state;
    this.state = { ...this.state, work, guide: guide && { ...guide, scroll: this.host.scrolled() } };
    keepLast(work, Date.now(), this.state.id);
    this.replace();
  }

  private push(): void {
    this.tell((state, address) => this.browser.history.pushState(state, '', address));
    if (this.state.work) keepLast(this.state.work, Date.now(), this.state.id);
  }

  private replace(): void {
    this.tell((state, address) => this.browser.history.replaceState(state, '', address));
  }

  private tell(put: (state: unknown, address: string) => void): void {
    const { work, guide } = this.state;
    const { pathname } = this.browser.location;
    const address = pathname + addressOf(work ?? { set: {} }, guide ?? undefined);
    const state = { ...this.state, work: work && isShort(work) ? work : null };
    try {
      put({ tendril: state }, address);
    } catch {
      // Too large or too often for this browser: the address at least is right.
      try {
        put({ tendril: { ...state, work: null } }, address);
      } catch {
        // The next change tries again.
      }
    }
  }
}

function asState(raw: unknown): State | null {
  const state = (raw as { tendril?: State } | null)?.tendril;
  if (!state || typeof state.id !== 'string') return null;
  const count = (value: unknown): number => Number(value) || 0;
  const { depth, pages } = state;
  return { ...state, work: asWork(state.work), guide: asSpot(state.guide), depth: count(depth), pages: count(pages) };
}

function asSpot(raw: unknown): GuideSpot | null {
  const spot = raw as GuideSpot | null;
  return typeof spot?.page === 'string'
    ? { page: spot.page, heading: String(spot.heading), scroll: Number(spot.scroll) || 0 }
    : null;
}

function newId(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
}
