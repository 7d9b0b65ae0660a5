// Keeps a person's work: what is on screen goes into the browser's history as it changes, comes back from there, and what
// another scene takes the place of can be brought back.
import type { Messages } from '../panels/messages';
import type { TextDrawer } from '../panels/textDrawer';
import { sceneOf } from '../scenes/texts';
import { sameLines } from '../text/difference';
import type { View } from '../view/view';
import type { Link } from './address';
import type { Edits } from './edits';
import type { Origin } from './openings';
import { type GuideSpot, Trail } from './trail';
import { dropLast, isOwn, lastWorks, textOf, type Work, written } from './work';

const writingIsKept = 'What you were writing is kept.';

export interface KeepingHost {
  /** Of the scene on screen; null before the first. */
  title(): string | null;
  edits: Edits;
  drawer: TextDrawer;
  messages: Messages;
  view(): View | null;
  load(text: string, set: Record<string, number>, origin: Origin): void;
  /** Calls `use` with the text of a gallery's scene when it has come. */
  withText(scene: string, use: (text: string) => void): void;
  openAddress(): Promise<void>;
  guide(spot: GuideSpot | null): void;
  scrolled(): number;
}

export class Keeping {
  readonly trail: Trail;
  /** What in an address names a text. */
  private named: { text: string; link: Link } | null = null;
  /** What was being written when a text that was refused came into the editor, by that text; "": nothing was. */
  private readonly behind = new Map<string, string>();
  private offered: Work | null = null;

  constructor(private readonly host: KeepingHost) {
    this.trail = new Trail({
      work: () => this.work(),
      open: (work) => this.open(work, false),
      openAddress: () => void host.openAddress().then(() => this.trail.settle()),
      guide: (spot) => host.guide(spot),
      scrolled: () => host.scrolled(),
    });
  }

  /** Opens what this entry of the history keeps, or what the address says; `page`: of the guide. */
  start(page: string | null, heading: string): void {
    const { work, guide } = this.trail.start();
    if (work) this.open(work, false);
    // What is brought back comes after the scene of the address, not before it.
    else void this.host.openAddress().then(() => this.offerLast());
    const asked = guide ?? (page === null ? null : { page, heading, scroll: 0 });
    if (asked) {
      this.trail.startGuide(asked);
      this.host.guide(asked);
    }
  }

  /** What was written last time, in one tab or several. */
  private offerLast(): void {
    const [last, ...others] = lastWorks(Date.now());
    if (!last) return;
    this.offer(last, 'Your last text is still here.', [
      ...others.map((work) => ({ label: work.title, action: () => this.reopen(work) })),
      { label: 'Discard it', action: () => this.forgetLast() },
    ]);
  }

  /** What a person has before them. */
  work(): Work | null {
    const { edits, drawer, view } = this.host;
    const title = this.host.title();
    if (title === null) return null;
    const { text, set } = edits;
    const camera = view()?.pose;
    const scene = sceneOf(text);
    const link = this.named?.text === text ? this.named.link : undefined;
    return {
      title,
      ...(scene ? { scene } : { text, ...(link ? { link } : {}) }),
      set,
      ...(drawer.unrun ? { draft: drawer.text, behind: this.behind.get(drawer.text) } : {}),
      ...(drawer.open ? { writing: true } : {}),
      ...(camera ? { camera } : {}),
    };
  }

  changed(): void {
    this.trail.changed();
  }

  /** A scene comes on screen in the place of another: call `done` when it is there. */
  arriving(origin: Origin, text: string): { done: () => void } {
    const before = this.work();
    // Written before there was a scene; what takes the place of a scene that failed leaves it where it is.
    const alone = before === null && origin.kind !== 'fallback' ? this.host.drawer.text : '';
    const enters = (origin.kind === 'gallery' || origin.kind === 'other' || origin.kind === 'work') && origin.enters;
    if (enters) this.trail.leave();
    return {
      done: () => {
        if (origin.kind === 'other' && origin.link) this.named = { text, link: origin.link };
        if (origin.kind === 'work') this.resume(origin.work, text, origin.enters);
        if (origin.kind === 'fallback') this.trail.hold();
        else if (enters && before) this.trail.enter();
        else this.trail.arrived(origin.kind === 'work' ? origin.work : null);
        if (before) this.rescue(before, origin, text);
        if (alone.trim() !== '' && !sameLines(alone, text))
          this.offer({ title: '', set: {}, draft: alone }, writingIsKept, [], () => {
            this.host.drawer.bringBack(alone);
            this.host.drawer.show(true);
          });
      },
    };
  }

  /** Text that was refused comes into the editor: what was being written there can be brought back. */
  refused(origin: Origin | undefined, text: string): void {
    if (origin?.kind === 'work') this.trail.arrived(origin.work);
    const seen = this.work();
    const before = seen && written(seen);
    const draft = before?.draft ?? '';
    if (draft === text) return;
    if (before && draft !== '') this.offerBehind(before, text, draft);
    else if (seen) this.behind.set(text, ''); // a file that came is nobody's writing
  }

  private offerBehind(work: Work, text: string, behind: string): void {
    this.behind.set(text, behind);
    this.offer(work, writingIsKept, [], () => {
      this.host.messages.clear('refused');
      this.host.drawer.bringBack(behind);
    });
  }

  private reopen(work: Work): void {
    this.open({ ...work, writing: true }, true);
  }

  private open(work: Work, enters: boolean): void {
    const load = (text: string): void => this.host.load(text, work.set, { kind: 'work', work, enters });
    const { text, scene } = work;
    if (text !== undefined) load(text);
    else if (scene !== undefined) this.host.withText(scene, load);
  }

  /** What is beside the scene: the text being written, the camera. */
  private resume(work: Work, text: string, focus: boolean): void {
    const { link, draft, behind, writing, camera } = work;
    const { drawer } = this.host;
    if (link) this.named = { text, link };
    // Back has brought what was offered.
    const { offered } = this;
    if (offered && (offered.draft === undefined ? textOf(offered) === text : offered.draft === draft))
      this.host.messages.clear('kept');
    if (draft !== undefined) drawer.bringBack(draft);
    if (draft !== undefined && behind) this.offerBehind(written(work), draft, behind);
    else if (draft !== undefined && behind === '') this.behind.set(draft, behind);
    if (writing) drawer.show(true, focus);
    if (camera) this.host.view()?.look(camera);
  }

  private rescue(seen: Work, origin: Origin, text: string): void {
    const before = written(seen);
    const { draft } = before;
    // Back, Forward and the history of changes keep what was on screen, not always what was being written.
    const kept = origin.kind === 'work' && !origin.enters;
    const dragged = origin.kind === 'other' && origin.dragged !== undefined;
    if (kept || dragged || origin.kind === 'fallback') return;
    if (draft !== undefined && draft !== text) this.offer(before, writingIsKept);
    else if (isOwn(before) && textOf(before) !== text && 'enters' in origin && origin.enters)
      this.offer(before, `"${before.title}" is kept: it is a text of your own.`);
  }

  private offer(
    work: Work,
    title: string,
    more: { label: string; action: () => void }[] = [],
    back: () => void = () => this.reopen(work),
  ): void {
    const { messages } = this.host;
    this.offered = work;
    const action = (): void => {
      messages.clear('kept');
      back();
    };
    messages.keep('kept', 'info', title, '', [{ label: 'Bring it back', action }, ...more]);
  }

  /** What was written last is given up, and not offered again. */
  forgetLast(): void {
    dropLast(Date.now());
    this.host.messages.clear('kept');
  }
}
