// The page as a whole: builds its parts, keeps what is loaded, and passes news between the engine and the parts.
import type { SceneInfo } from '@tendril/engine';
import { EngineClient } from './engine/client';
import { isGeometry } from './engine/geometry';
import type { LoadedReply, Reply, SnapshotReply } from './engine/protocol';
import { newWorker } from './engine/start';
import type { About } from './panels/about';
import { Checks } from './panels/checks';
import { Gallery, galleryChunk } from './panels/gallery';
import { Guide } from './panels/guide';
import { Header } from './panels/header';
import type { Help } from './panels/help';
import { Hint } from './panels/hint';
import { Lede } from './panels/lede';
import { Messages } from './panels/messages';
import type { Modes } from './panels/modes';
import { NextScenes } from './panels/nextScenes';
import { Parameters } from './panels/parameters';
import { PlayPad } from './panels/playPad';
import type { Plots } from './panels/plots';
import type { ShareDialog } from './panels/shareDialog';
import { Side } from './panels/side';
import { TextDrawer } from './panels/textDrawer';
import { Transport } from './panels/transport';
import { Troubles } from './panels/troubles';
import { Values } from './panels/values';
import { ViewOptions } from './panels/viewOptions';
import { firstScene } from './scenes/course';
import { prepareTexts, sceneOf } from './scenes/texts';
import { Edits } from './share/edits';
import { fileName, saveFile } from './share/files';
import { Keeping } from './share/keeping';
import { ObstacleMoves } from './share/obstacleMoves';
import { Openings, type Origin, standIn } from './share/openings';
import { textEdits } from './share/textEdits';
import { formulaChunk } from './text/formula';
import { Series } from './text/series';
import { Chunk } from './ui/chunk';
import { h } from './ui/dom';
import { FirstStep } from './ui/firstStep';
import { type KeyAction, listenToKeys } from './ui/keys';
import { Late } from './ui/late';
import { kindsOf, pauseFirst } from './view/fields';
import { View } from './view/view';

/** A page that is never idle, on a busy machine, gets the rest all the same after so long [ms]. */
const idleAfter = 15_000;

export class App {
  private readonly client = new EngineClient(newWorker);
  private readonly messages = new Messages();
  private readonly series = { now: new Series([]) };
  private readonly edits = new Edits({
    send: (name, value, live) => this.setParameter(name, value, live),
    load: ({ text, set }) => this.load(text, set, { kind: 'history' }),
    changed: (canUndo, canRedo) => {
      this.header.setHistory(canUndo, canRedo);
      this.keeping.changed();
    },
  });
  private readonly asked = new Map<number, { text: string; origin: Origin; set: Record<string, number> }>();
  private readonly header: Header;
  private readonly transport: Transport;
  private readonly parameters: Parameters;
  private readonly plots = new Late<Plots>('the plots', async () => {
    const { Plots } = await import('./panels/plots');
    return new Plots((time) => this.transport.markMoment(time));
  });
  private readonly about = new Late<About>('the description', async () => {
    const { About } = await import('./panels/about');
    return new About();
  });
  private readonly modes = new Late<Modes>('the modes', async () => {
    const { Modes } = await import('./panels/modes');
    return new Modes({
      find: () => this.client.send({ type: 'modes', count: 8 }),
      swing: (mode) => this.view?.swing(mode?.away ?? null),
    });
  });
  private readonly firstStep = new FirstStep(() => this.prepare());
  private readonly values = new Values();
  private readonly checks = new Checks({
    runAll: () => void this.withTextAsSet((text) => this.client.send({ type: 'runChecks', text })),
    stop: () => this.client.send({ type: 'stopChecks' }),
  });
  private readonly lede = new Lede({
    set: (values) => this.edits.changeAll(values),
    more: () => this.side.showAbout(),
  });
  private readonly next = new NextScenes((scene) => this.openings.openScene(scene, true));
  private readonly side: Side;
  private readonly drawer: TextDrawer;
  private readonly gallery: Gallery;
  private readonly shareDialog = new Chunk(async (): Promise<ShareDialog> => {
    const { ShareDialog } = await import('./panels/shareDialog');
    const dialog = new ShareDialog();
    this.body.append(dialog.element);
    return dialog;
  });
  private readonly guide = new Guide({
    tryScene: (text) => this.load(text, {}, { kind: 'other', enters: true }),
    opened: (page, heading) => {
      this.keeping.trail.enterGuide(page, heading);
      this.guide.canGoBack = this.keeping.trail.hasPageBefore;
    },
    closed: () => this.keeping.trail.leaveGuide(),
    back: () => this.keeping.trail.back(),
  });
  private version = '';
  private readonly help = new Chunk(async (): Promise<Help> => {
    const { Help } = await import('./panels/help');
    const help = new Help(this.keys(), () => void this.guide.show());
    help.setVersion(this.version);
    this.body.append(help.element);
    return help;
  });
  private readonly viewBox = h('section', { class: 'stage', aria: { label: 'Simulation' } });
  private readonly hint = new Hint();
  private readonly options = new ViewOptions({
    field: (field) => {
      this.view?.setField(field);
      this.client.send({ type: 'field', field });
    },
    thickness: (factor) => this.view?.setThickness(factor),
    exaggeration: (factor) => {
      this.view?.setExaggeration(factor);
      // A run that stands sends no picture by itself.
      this.client.send({ type: 'show' });
    },
    wireframe: (shown) => this.view?.showWireframe(shown),
    symbols: (shown) => this.view?.showScenery({ symbols: shown }),
    linkwork: (shown) => this.view?.showScenery(shown),
    vines: (shown) => this.view?.showVines(shown),
    quality: (choice) => this.view?.setQuality(choice),
    frame: () => this.view?.frameAll(),
  });
  private readonly pad = new PlayPad({
    running: () => this.playing,
    play: () => {
      if (this.finished) this.messages.note('The run had ended: it starts again from t = 0.');
      this.client.send({ type: 'play' });
    },
    own: (name) => this.edits.own(name),
    set: (name, value) => this.client.send({ type: 'set', name, value, held: true }),
  });
  private readonly moves = new ObstacleMoves({
    written: () => this.drawer.text,
    shown: () => ({ text: this.edits.text, set: this.edits.set }),
    validate: (text) => this.validate(text),
    load: ({ text, set }, dragged) => this.load(text, set, { kind: 'other', dragged }),
    say: (words) => this.messages.note(words, 9),
    putBack: () => this.view?.putBack(),
  });
  private readonly openings = new Openings(this.messages, {
    load: (text, set, origin) => this.load(text, set, origin),
    shown: () => this.info !== null,
    notComing: () => {
      this.messages.clear('late');
      document.querySelector('#welcome .coming')?.remove();
    },
    closeGallery: () => this.gallery.close(),
    showGallery: () => this.gallery.show(),
  });
  private readonly keeping: Keeping;
  private readonly layout: HTMLElement;
  private view: View | null = null;
  private troubles!: Troubles;
  private info: SceneInfo | null = null;
  private playing = false;
  private finished = false;
  private time = 0;
  private checking = 0;
  /** Text of a first scene for which there is no engine. */
  private unshown = '';

  constructor(private readonly body: HTMLElement) {
    const keys = this.keys();
    this.header = new Header({
      scenes: () => this.gallery.show(),
      text: () => this.drawer.show(!this.drawer.open),
      undo: () => this.undo(),
      redo: () => this.redo(),
      share: () => void this.share(),
      takeScene: () =>
        void this.withTextAsSet((text) =>
          saveFile(fileName(this.title, '.json'), new Blob([text], { type: 'application/json' })),
        ),
      takeCsv: () => saveFile(fileName(this.title, '.csv'), new Blob([this.series.now.csv()], { type: 'text/csv' })),
      takePicture: () => void this.takePicture(),
      guide: () => void this.guide.show(),
      help: () => void this.showHelp(),
    });
    this.transport = new Transport({
      playPause: () => this.playPause(),
      step: () => this.step(),
      reset: () => this.client.send({ type: 'reset' }),
      speed: (value) => this.client.send({ type: 'speed', value }),
      loop: (value) => this.client.send({ type: 'loop', value }),
      seek: (goal) => this.client.send({ type: 'seek', ...goal }),
      pointed: (time) => this.plots.now?.cursor.set(time),
    });
    this.parameters = new Parameters((name, value, held) => this.edits.change(name, value, held));
    this.side = new Side(this.lede, this.parameters, this.plots, this.values, this.modes, this.checks, this.about);
    this.drawer = new TextDrawer({
      validate: (text) => this.validate(text),
      stepped: (from, to) => this.edits.follow(from, to),
      run: (text) => void this.runText(text),
      running: () => this.edits.text || this.unshown,
      marked: (unrun) => this.header.setTextUnrun(unrun),
      discarded: () => {
        this.messages.clear('refused');
        this.keeping.forgetLast();
      },
      toggled: (open) => {
        this.header.setTextOpen(open);
        this.layout.classList.toggle('with-text', open);
        this.keeping.changed();
      },
      written: () => this.keeping.changed(),
    });
    this.keeping = new Keeping({
      title: () => this.info && this.title,
      edits: this.edits,
      drawer: this.drawer,
      messages: this.messages,
      view: () => this.view,
      load: (text, set, origin) => this.load(text, set, origin),
      withText: (scene, use) => this.openings.withText(scene, use),
      openAddress: () => this.openings.openAddress(),
      guide: (spot) => {
        void this.guide.follow(spot);
        this.guide.canGoBack = this.keeping.trail.hasPageBefore;
      },
      scrolled: () => this.guide.scrolled,
    });
    this.gallery = new Gallery({
      open: (scene) => this.openings.openScene(scene, true),
      openFile: () => void this.openings.chooseFile(),
    });
    this.layout = h(
      'main',
      { class: 'layout' },
      this.drawer.element,
      this.viewBox,
      this.side.element,
      this.next.element,
      this.transport.element,
    );
    listenToKeys(keys);
  }

  start(): void {
    this.body.append(this.header.element, this.layout);
    this.welcome();
    this.body.append(this.gallery.element, this.guide.element);
    this.makeView();
    this.viewBox.append(this.messages.element);
    this.listen();
    this.troubles = new Troubles(this.client, this.messages, this.transport, {
      info: () => this.info,
      openText: () => this.drawer.show(true),
    });
    this.transport.restore();
    const page = new URLSearchParams(location.search).get('guide');
    const heading = /^#[\w-]+$/.test(location.hash) ? location.hash.slice(1) : '';
    this.keeping.start(page, heading);
  }

  /** What is not needed for the first picture that moves: the plots and words in sight at once, the rest when there is time. */
  private prepare(): void {
    this.plots.come();
    this.about.come();
    this.modes.come();
    const idle = (work: () => void): unknown =>
      window.requestIdleCallback ? window.requestIdleCallback(work, { timeout: idleAfter }) : setTimeout(work, 3000);
    idle(async () => {
      const parts = [galleryChunk, this.drawer, this.guide, this.shareDialog, this.help, textEdits, formulaChunk];
      await Promise.all([...parts.map((part) => part.prepare()), prepareTexts()]);
      performance.mark('all-there');
    });
  }

  private get title(): string {
    return this.info?.title || 'Scene';
  }

  private makeView(): void {
    try {
      this.view = new View(this.viewBox, {
        pull: (point, target) => this.pull(point, target),
        release: () => this.client.send({ type: 'release' }),
        moveObstacle: (name, offset, least) => void this.moves.move(name, offset, least),
        looked: () => this.keeping.changed(),
        refuseDrag: () => this.messages.note(pauseFirst),
      });
    } catch {
      void import('./panels/noGraphics').then(({ noGraphics }) => this.viewBox.append(noGraphics()));
      return;
    }
    this.viewBox.append(this.options.element);
    this.options.restore();
    this.pad.placeIn(this.viewBox, this.transport.element);
    this.messages.element.append(this.hint.element);
    this.view.below = this.pad.element;
  }

  private keys(): KeyAction[] {
    return [
      {
        keys: [' ', 'k'],
        shown: 'Space, K',
        words: 'play or pause; at the end, from the start again',
        action: () => this.playPause(),
      },
      {
        keys: ['ArrowRight'],
        shown: '→',
        words: 'one step; at the end, the first one again',
        action: () => this.step(),
      },
      { keys: ['r'], shown: 'R', words: 'back to the start', action: () => this.client.send({ type: 'reset' }) },
      {
        keys: ['l'],
        shown: 'L',
        words: 'at its end the run starts again by itself, or no longer',
        action: () => this.transport.toggleLoop(),
      },
      { keys: ['f'], shown: 'F', words: 'show everything', action: () => this.view?.frameAll() },
      { keys: ['w'], shown: 'W', words: 'edges of shells', action: () => this.options.toggleWireframe() },
      {
        keys: ['p'],
        shown: 'P',
        words: 'pull a point, then the next: arrows move it, Escape lets go',
        action: () => this.view?.pullNext(),
      },
      { keys: ['e'], shown: 'E', words: 'the scene as text', action: () => this.drawer.show(!this.drawer.open) },
      { keys: ['g'], shown: 'G', words: 'the gallery of scenes', action: () => this.gallery.show() },
      { keys: ['h'], shown: 'H', words: 'the guide', action: () => void this.guide.show() },
      { keys: ['?'], shown: '?', words: 'this list', action: () => void this.showHelp() },
      { keys: ['z'], with: 'ctrl', shown: 'Ctrl+Z', words: 'undo the last change', action: () => this.undo() },
      {
        keys: ['y', 'Z'],
        with: 'ctrl',
        shown: 'Ctrl+Y',
        words: 'do it again; Ctrl+Shift+Z too',
        action: () => this.redo(),
      },
    ];
  }

  /** The poster that the document came with stays until there is something else to see. */
  private welcome(): void {
    const poster = document.querySelector('#welcome');
    if (!poster) return;
    this.viewBox.append(poster);
    const leave = (): void => poster.remove();
    // A scene that was loaded has nothing to show before its first snapshot.
    this.client.on('loaded', () => this.view ?? leave());
    this.client.on('snapshot', () => {
      if (poster.isConnected) this.view?.afterShown(leave);
    });
    this.client.on('refused', leave);
  }

  private listen(): void {
    const { client } = this;
    client.on('ready', ({ version }) => {
      this.version = version;
      // One that takes the place of another does not know it yet.
      this.client.send({ type: 'loop', value: this.transport.loops });
    });
    client.on('broken', () => this.showUnshown());
    client.on('unfetched', () => document.querySelector('#welcome .coming')?.remove());
    client.on('loaded', (reply) => this.loaded(reply));
    client.on('refused', (reply) => this.refused(reply));
    client.on('validated', ({ id, problems, warnings }) => {
      if (id === this.checking) this.drawer.showProblems(problems, warnings);
      void this.moves.checked(id, problems);
    });
    client.on('snapshot', (reply) => this.snapshot(reply));
    client.on('status', (reply) => {
      this.playing = reply.playing;
      if (this.view) this.view.standing = !reply.playing;
      this.finished = reply.finished;
      this.time = reply.time;
      this.hint.setRun(reply.playing, reply.time, reply.finished);
      if (reply.playing) this.messages.clear('gave-up');
      this.transport.status(reply);
      this.next.status(reply);
      // Nothing moves by itself: the picture of the start is the first one.
      if (!reply.playing && this.info) this.firstStep.drawn();
    });
    client.on('modes', (reply) => this.modes.now?.show(reply));
    client.on('parameters', ({ parameters, acting, duration, ended }) => {
      this.view?.setActing(acting);
      this.modes.now?.leave();
      if (ended) this.messages.note('The run had ended: it starts again from t = 0, with the new value.', 8);
      this.transport.setDuration(duration);
      this.plots.tell('duration', (plots) => {
        plots.duration = duration;
      });
      this.series.now.valuesChanged();
      this.edits.parameters = parameters;
      this.parameters.update(parameters);
      this.lede.update(parameters);
      this.parameters.forgive();
      this.checks.forget();
    });
    client.on('setRefused', ({ name, value, message }) => {
      if (!this.edits.forget(name, value)) return;
      this.parameters.update(this.edits.parameters);
      this.lede.update(this.edits.parameters);
      this.parameters.refuse(name, message);
    });
    client.on('checks', ({ verdicts }) => this.checks.showRun(verdicts));
    client.on('checkRuns', (progress) => this.checks.showAll(progress));
  }

  private load(text: string, set: Record<string, number>, origin: Origin): void {
    this.openings.superseded();
    const dragged = origin.kind === 'other' && origin.dragged !== undefined;
    // A run that a person has stopped at its start to move obstacles stays there while they do and undo that.
    const stays = dragged || (origin.kind === 'history' && !this.playing && this.time === 0);
    this.asked.set(this.client.load(text, set, !stays && !this.stillWanted()), { text, origin, set });
    this.showUnshown();
  }

  /** Runs what the editor has, with the values that were set. */
  private async runText(text: string): Promise<void> {
    const shown = { text: this.edits.text, set: this.edits.set };
    const any = Object.keys(shown.set).length > 0;
    const edits = any ? await textEdits.get().catch(() => null) : null;
    if (any && !edits) this.messages.note('The values that were set are left out: a part of the page did not arrive.');
    this.load(text, edits?.keptValues(shown, text) ?? {}, { kind: 'other' });
  }

  private async withTextAsSet(use: (text: string) => void): Promise<void> {
    const text = await this.edits.asSet().catch(() => null);
    if (text === null) this.messages.note('The text could not be made: a part of the page did not arrive. Try again.');
    else use(text);
  }

  /** Without an engine the text that came can be read, and taken along. */
  private showUnshown(): void {
    const last = [...this.asked.values()].at(-1);
    if (this.info || !this.client.isBroken || !last || this.drawer.text !== this.unshown) return;
    this.unshown = last.text;
    this.drawer.setText(last.text);
  }

  private validate(text: string): number {
    this.checking = this.client.validate(text);
    return this.checking;
  }

  /** People who asked for less motion start the run themselves. */
  private stillWanted(): boolean {
    return matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  private loaded(reply: LoadedReply): void {
    const { info, text, drawing } = reply;
    const { columns } = info;
    const { origin, set: wanted } = this.asked.get(reply.id) ?? { origin: { kind: 'history' }, set: this.edits.set };
    const set = Object.fromEntries(
      Object.entries(wanted).filter(([name]) => reply.left.every((one) => one.name !== name)),
    );
    for (const id of this.asked.keys()) if (id <= reply.id) this.asked.delete(id);
    const sameText = text === this.edits.text;
    const again = origin.kind === 'history' && info.title === this.info?.title;
    const dragged = origin.kind === 'other' ? origin.dragged : undefined;
    const { done } = this.keeping.arriving(origin, text);
    const others = !sameText || JSON.stringify(set) !== JSON.stringify(this.edits.set);
    const compared = others && info.title === this.info?.title ? this.series.now : null;
    // Notes speak of the run that was.
    this.messages.unsay(() => true);
    this.info = info;
    this.modes.now?.leave();
    this.edits.loaded({ text, set }, info.parameters, origin.kind === 'history', dragged?.before);
    if (this.time > 0 && dragged)
      this.messages.note(`The run starts again from t = 0, with "${dragged.obstacle}" moved.`, 8);
    else if (this.time > 0 && again && !sameText)
      this.messages.note('The run starts again from t = 0, with the other text.', 8);
    this.series.now = new Series(
      columns.map(({ name }) => name),
      compared,
    );
    this.header.setTitle(info.title || 'Untitled scene');
    const speed = typeof info.view.speed === 'number' && info.view.speed > 0 ? info.view.speed : 1;
    this.client.send({ type: 'speed', value: speed });
    this.transport.setScene(info.duration, info.static, speed);
    this.parameters.setScene(info.parameters);
    const series = this.series.now;
    this.plots.tell('scene', (plots) => plots.setScene(series, columns, info));
    this.values.setScene(this.series.now, columns);
    this.side.setScene(info);
    const units = Object.fromEntries(columns.map(({ name, unit }) => [name, unit]));
    this.checks.setScene(info.checks, units, info.parameters);
    const kinds = kindsOf(drawing);
    this.options.setScene(kinds, drawing, info.view.exaggerate);
    this.pad.setScene(info.view.keys, info.parameters);
    this.transport.setKey(this.pad.hasSpace ? 'K' : 'space');
    const solids = drawing.obstacles.some(({ kind, hidden }) => kind !== 'plane' && !hidden);
    this.hint.setScene(kinds, this.pad.rows, solids, info.static);
    this.view?.setScene(reply, sameText || again || dragged !== undefined, info.static ? info.duration : null);
    // Nothing was refused that should stay in sight.
    if (origin.kind === 'fallback' && this.drawer.text === '') this.drawer.setText(text);
    // What a person writes beside a scene that comes once more, as after a restart of the engine, stays.
    if (origin.kind !== 'fallback' && !(origin.kind === 'history' && sameText)) {
      this.drawer.setText(text, again || dragged !== undefined);
      this.drawer.showProblems([], info.warnings);
      for (const key of ['refused', 'gave-up', 'broken', 'unfetched', 'link']) this.messages.clear(key);
    }
    void this.sayLeftOut(reply, origin, set);
    done();
    this.drawer.mark();
    this.gallery.close();
    const { scene } = this.keeping.work() ?? {};
    this.next.setScene(scene, info.static);
    document.documentElement.dataset.scene = scene ?? 'own';
  }

  /** What was asked for and is not set, or goes far. */
  private async sayLeftOut({ left, info }: LoadedReply, origin: Origin, set: Record<string, number>): Promise<void> {
    if (origin.kind === 'fallback') return;
    this.messages.clear('values');
    const unread = 'unread' in origin ? (origin.unread ?? []) : [];
    const linked = 'unread' in origin && Object.keys(set).length > 0;
    if (left.length + unread.length === 0 && !linked) return;
    // Rarely needed: it comes when it is, and without it the engine's own words stand.
    const tell = await import('./text/leftOut').catch(() => null);
    if (info !== this.info) return;
    const beyond = linked && tell?.beyondWords(set, info.parameters);
    if (beyond) this.messages.note(beyond, 12);
    if (left.length + unread.length === 0) return;
    const rest = tell?.leftOutWords(left, info.parameters) ?? left.map(({ message }) => `${message}.`).join(' ');
    const words = [...unread, rest].join(' ').trim();
    const title = unread.length > 0 ? 'Not all of the address is used.' : 'Not all values are set.';
    this.messages.keep('values', 'trouble', title, words);
  }

  private refused({ id, text, message, problems }: Extract<Reply, { type: 'refused' }>): void {
    const origin = this.asked.get(id)?.origin;
    this.asked.delete(id);
    this.view?.putBack();
    if (origin?.kind === 'other' && origin.dragged) {
      this.messages.note(`It cannot stand there: ${problems[0]?.message ?? message}.`, 9);
      return;
    }
    this.keeping.refused(origin, text);
    const instead = !this.info && sceneOf(text) !== firstScene;
    const keeps = this.info ? 'The scene before it is still on screen.' : instead ? standIn : '';
    const first = problems[0];
    const words = (first ? `Line ${first.line}: ${first.message}` : message).replace(/[^.!?]$/, '$&.');
    const title = isGeometry(text) ? 'This geometry cannot be imported.' : 'This scene cannot run.';
    this.messages.keep('refused', 'trouble', title, `${words} ${keeps}`.trim(), [
      { label: 'Show it in the text', action: () => this.drawer.showFirstProblem() },
    ]);
    this.drawer.setText(text, true);
    this.drawer.showProblems(problems, []);
    this.drawer.showFirstProblem();
    if (instead) this.openings.openStandIn();
  }

  private snapshot(reply: SnapshotReply): void {
    if (reply.fresh) {
      this.checks.leave();
      if (reply.sought) this.series.now.clear();
      else this.series.now.startAgain();
      if (!reply.sought) this.transport.clearMarks();
    }
    this.modes.now?.moved(reply.time);
    this.series.now.append(reply.rows);
    this.view?.push(reply);
    // The run waits for moments that are not on the screen yet: the clock is never far ahead of the picture.
    const back = (): void => this.client.recycle(reply.buffer);
    if (this.view) this.view.afterShown(back);
    else back();
    this.plots.now?.changed();
    this.values.changed();
    if (reply.time > 0) this.firstStep.drawn();
  }

  private setParameter(name: string, value: number, live: boolean): void {
    const play = (!live || this.finished) && !this.stillWanted();
    this.client.send({ type: 'set', name, value, play });
  }

  /** What is typed and not yet set is set before: it is the last change, and the first to be undone. */
  private undo(): void {
    this.parameters.settle();
    this.edits.undo();
  }

  private redo(): void {
    this.parameters.settle();
    this.edits.redo();
  }

  private step(): void {
    if (this.finished) this.messages.note('The run had ended: this is its first step, from the start.');
    this.client.send({ type: 'step' });
  }

  private playPause(): void {
    if (this.troubles.tryAgain() || (!this.info && this.openings.tryAgain())) return;
    this.client.send({ type: this.playing ? 'pause' : 'play' });
  }

  private pull(point: number, target: [number, number, number]): void {
    this.client.send({ type: 'grab', point, target });
    this.checks.pull();
    this.hint.done();
    // A static scene stands in balance with what pulls it, at any load but none.
    if (this.playing || (this.info?.static && this.time > 0)) return;
    if (this.finished) this.messages.note('The run has ended: play it again, and pull while it runs.');
    else this.client.send({ type: 'play' });
  }

  private async share(): Promise<void> {
    if (!this.info) return this.messages.note('No scene to share yet.');
    const { text, set } = this.edits;
    const { text: written } = this.drawer;
    const dialog = await this.shareDialog.get().catch(() => null);
    if (dialog) await dialog.show((withEdits) => ({ scene: withEdits ? written : text, set }), this.drawer.unrun);
    else this.messages.note('The link could not be made: a part of the page did not arrive. Try again.');
  }

  private async showHelp(): Promise<void> {
    const help = await this.help.get().catch(() => null);
    help?.setPlayKeys(this.pad.rows);
    if (help) help.show();
    else this.messages.note('The list of keys could not be shown: a part of the page did not arrive. Try again.');
  }

  private async takePicture(): Promise<void> {
    const picture = await this.view?.picture().catch(() => undefined);
    if (picture === undefined && this.view) {
      this.messages.note('The picture could not be made: a part of the page did not arrive. Try again.');
      return;
    }
    if (picture) saveFile(fileName(this.title, '.png'), picture);
    else this.messages.note('There is no picture to take: this browser shows no 3D graphics here.');
  }
}
