// Renderer, camera, light and orbit controls; draws when something changed, at the display's rate at most. How good the
// pictures are is up to quality.ts.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Pose } from '../share/work';
import { directionOf, distanceFor, type Framing, usualDirection } from './framing';
import { Ground } from './ground';
import type { Lens, Sight } from './inSight';
import { lightFrom } from './light';
import { Quality } from './quality';

/** Pictures that keep the page itself busy for longer than this [ms] are drawn more seldom. */
const busyFrame = 45;
/** ... but no later than this after the last one [ms]: what is on screen must not fall far behind the run. */
const longestRest = 400;
/** What waits for a picture waits no longer than this [ms]: some windows are not drawn. */
const longestWait = 2000;
/** A picture that nothing moves in for so long is drawn once more, as well as can be [ms]. */
const standsAfter = 400;
/** Angle of view across the shorter side [degrees]: a narrower window shows the same things smaller. */
const fieldOfView = 32;
/** Between two pictures where nothing is slow [s]. */
const usualPicture = 1 / 60;

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(fieldOfView, 1, 0.01, 100);
  readonly renderer: THREE.WebGLRenderer;
  readonly controls: OrbitControls;
  readonly ground = new Ground();
  readonly quality = new Quality(() => this.qualityChanged());
  /** Called before a frame is drawn with the time [ms]; true asks for another frame. */
  onFrame: (now: number) => boolean = () => false;
  /** Called when the pictures to come have another quality. */
  onQuality: () => void = () => {};
  /** Called after the camera or the size changed. */
  onCamera: () => void = () => {};
  /** Called when a person has chosen where to look from. */
  onLook: () => void = () => {};
  /** Called when the system turns dark or light. */
  onTheme: () => void = () => {};
  dark = false;
  /** What lies over the picture's upper and lower edge [px]: the camera's middle is that of the rest. */
  private covered = { top: 0, bottom: 0 };
  /** What was framed last, while nobody has moved the camera since: another size of the window frames it again, unless the camera has
   * followed it since. */
  private framed: { box: THREE.Box3; framing: Framing; followed?: boolean } | null = null;
  /** How far camera and target went along with a body. */
  private readonly shifted = new THREE.Vector3();
  private readonly key = new THREE.DirectionalLight('#ffffff', 2.1);
  private readonly rim = new THREE.DirectionalLight('#cfe3ff', 0.7);
  private readonly sky = new THREE.HemisphereLight('#ffffff', '#b9b2a7', 1.15);
  private scheduled = false;
  /** A person let the camera go, which moves on a little. */
  private coasts = false;
  /** What waits for a picture that is yet to begin, and for the one under way. */
  private readonly waiting: (() => void)[] = [];
  private readonly underWay: (() => void)[] = [];
  private patience = 0;
  private fence: WebGLSync | null = null;
  private fenceTime = 0;
  /** The last picture wanted the next one. */
  private going = false;
  /** The canvas gets another number of pixels with the next picture: that wipes it, and what it shows stays until then. */
  private sizeDue = true;
  private standing = 0;
  /** A scene has come, its first state has not. */
  private expecting = false;
  /** The next picture is the one that stays. */
  private stands = false;
  /** After a picture that kept the page busy for long, most time is left to input [ms]. */
  private restUntil = 0;
  private begun = 0;
  /** Comes back when the browser has painted. */
  private readonly afterFrame = new MessageChannel();
  private readonly moved = new THREE.Vector3();

  /** Throws where the browser has no WebGL2. */
  constructor(private readonly container: HTMLElement) {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('webgl2', { antialias: true, alpha: true, powerPreference: 'high-performance' });
    if (!context) throw new Error('no WebGL2');
    this.renderer = new THREE.WebGLRenderer({ canvas, context, antialias: true, alpha: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    canvas.tabIndex = 0;
    container.prepend(canvas);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => this.cameraMoved());
    this.controls.addEventListener('start', () => {
      this.framed = null;
    });
    this.controls.addEventListener('end', () => {
      this.coasts = true;
      this.onLook();
    });
    this.afterFrame.port1.onmessage = () => this.painted();
    this.lights();
    new ResizeObserver(() => this.resize()).observe(container);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', () => this.setTheme(scheme.matches));
    this.setTheme(scheme.matches);
    document.addEventListener('visibilitychange', () => {
      this.quality.interrupt();
      if (document.hidden) this.release();
    });
    this.resize();
  }

  /** Asks for a frame. */
  refresh(): void {
    if (this.scheduled) return;
    clearTimeout(this.standing);
    this.scheduled = true;
    this.renderer.domElement.dataset.picture = 'due';
    requestAnimationFrame((now) => this.frame(now));
  }

  /** Calls once a picture that begins from now on is done, or where none comes. */
  afterShown(then: () => void): void {
    this.waiting.push(then);
    if (document.hidden) return this.release();
    this.patience ||= window.setTimeout(() => this.release(), longestWait);
    this.refresh();
  }

  private release(): void {
    clearTimeout(this.patience);
    this.patience = 0;
    for (const then of [...this.underWay.splice(0), ...this.waiting.splice(0)]) then();
  }

  /** Pixels of a meter at the distance of a meter. */
  get pixelsPerMeter(): number {
    return this.freeHeight / (2 * Math.tan((this.camera.fov * Math.PI) / 360));
  }

  /** Keeps the picture's edges free for what lies over them [px]. */
  cover(top: number, bottom: number): void {
    if (top === this.covered.top && bottom === this.covered.bottom) return;
    this.covered = { top, bottom };
    this.resize();
  }

  /** Camera, light and ground for a box [m]; `flat`: the axis across what lies in a plane, `underside` of what lies on the
   * ground [m]; null: nothing does. */
  fit(box: THREE.Box3, framing: Framing, moveCamera: boolean, flat: 0 | 1 | 2 | null, underside: number | null): void {
    const middle = box.getCenter(new THREE.Vector3());
    const size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-6);
    this.ground.fit(box, underside);
    this.key.position.copy(lightFrom(flat, directionOf(framing, box))).multiplyScalar(3.6 * size);
    this.key.position.add(middle);
    this.key.target.position.copy(middle);
    this.key.target.updateMatrixWorld();
    const shadow = this.key.shadow.camera;
    shadow.left = shadow.bottom = -1.6 * size;
    shadow.right = shadow.top = 1.6 * size;
    shadow.near = size;
    shadow.far = 6.5 * size;
    shadow.updateProjectionMatrix();
    this.key.shadow.normalBias = 2e-3 * size;
    this.rim.position.copy(middle).add(new THREE.Vector3(-1, 1.2, 0.7).multiplyScalar(size * 2));
    this.rim.target.position.copy(middle);
    this.rim.target.updateMatrixWorld();
    if (moveCamera) this.frameBox(box, framing);
    else this.cameraMoved();
  }

  frameBox(box: THREE.Box3, framing: Framing = {}): void {
    this.framed = { box: box.clone(), framing };
    const extent = box.getSize(new THREE.Vector3());
    const middle = box.getCenter(new THREE.Vector3());
    const radius = Math.max(extent.length() / 2, 1e-6);
    const target = framing.target ? new THREE.Vector3(...framing.target) : middle;
    this.controls.target.copy(target);
    this.camera.position
      .copy(target)
      .addScaledVector(usualDirection(box), (1.3 * radius) / Math.sin((fieldOfView * Math.PI) / 360));
    if (framing.position) {
      this.camera.position.set(...framing.position);
      this.backOff(box);
    }
    if (framing.direction) this.comeNear(box, framing.direction);
    this.controls.update();
    this.cameraMoved();
  }

  /** Where a person has moved the camera, as if it had not followed a body since; null: it is where it was framed. */
  get pose(): Pose | null {
    if (this.framed) return null;
    const place = (of: THREE.Vector3): [number, number, number] => this.moved.copy(of).sub(this.shifted).toArray();
    return { position: place(this.camera.position), target: place(this.controls.target) };
  }

  look({ position, target }: Pose): void {
    this.framed = null;
    this.controls.target.set(...target).add(this.shifted);
    this.camera.position.set(...position).add(this.shifted);
    this.controls.update();
    this.cameraMoved();
  }

  /** Where the camera looks, and from how far. */
  get sight(): Sight {
    const { target } = this.controls;
    return { target: target.clone(), distance: this.camera.position.distanceTo(target) };
  }

  /** How the camera sees. */
  get lens(): Lens {
    const upright = Math.tan((this.camera.fov * Math.PI) / 360);
    const axes = [0, 1, 2].map((k) => new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, k));
    return { axes, tangents: [upright * this.camera.aspect, upright] };
  }

  /** Follows what moves, looking in the same direction; the light comes along. */
  follow({ target, distance }: Sight): void {
    const { camera, controls } = this;
    if (this.framed) this.framed.followed = true;
    const arm = this.moved.copy(camera.position).sub(controls.target).setLength(distance);
    const offset = target.clone().sub(controls.target);
    controls.target.copy(target);
    camera.position.copy(target).add(arm);
    this.moveLights(offset);
    controls.update();
    this.cameraMoved();
  }

  /** A new scene: the camera has not followed anything yet, and no picture stands before there is a first state to show. */
  newScene(): void {
    this.shifted.set(0, 0, 0);
    this.quality.newScene();
    this.expecting = true;
    clearTimeout(this.standing);
    this.renderer.domElement.dataset.picture = 'due';
  }

  /** There is something to show. */
  hasState(): void {
    this.expecting = false;
  }

  /** Everything in sight from where the camera looks now. */
  showAll(box: THREE.Box3): void {
    const { framed } = this;
    const usual = framed && !framed.framing.position && !framed.framing.direction;
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    this.frameBox(box, usual ? framed.framing : { direction });
    this.onLook();
  }

  private comeNear(box: THREE.Box3, direction: THREE.Vector3): void {
    const { camera, controls } = this;
    camera.position.copy(controls.target).add(direction);
    camera.lookAt(controls.target);
    camera.updateMatrixWorld();
    const axes = [0, 1, 2].map((k) => new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, k));
    const upright = 0.92 * Math.tan((camera.fov * Math.PI) / 360);
    const far = distanceFor(box, axes, [upright * camera.aspect, upright]);
    camera.position.copy(controls.target).addScaledVector(direction, Math.max(far, 1e-6));
  }

  /** Moves a given camera back until the box is in sight: windows are narrower than the one it was chosen for. */
  private backOff(box: THREE.Box3): void {
    const { camera, controls } = this;
    const corner = new THREE.Vector3();
    camera.clearViewOffset();
    for (let round = 0; round < 5; ++round) {
      camera.lookAt(controls.target);
      camera.updateMatrixWorld();
      let most = 0;
      for (let i = 0; i < 8; ++i) {
        corner.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
        corner.project(camera);
        most = Math.max(most, Math.abs(corner.x), Math.abs(corner.y));
      }
      if (most <= 0.92 || !Number.isFinite(most)) break;
      // Values may have put everything elsewhere.
      if (most > 2 && !box.containsPoint(controls.target)) {
        corner.subVectors(box.getCenter(new THREE.Vector3()), controls.target);
        camera.position.add(corner);
        controls.target.add(corner);
        continue;
      }
      camera.position
        .sub(controls.target)
        .multiplyScalar(Math.min(most / 0.9, 2))
        .add(controls.target);
    }
    this.shape();
  }

  /** Turns the view so that it looks along `from` toward the target. */
  lookFrom(direction: THREE.Vector3): void {
    this.framed = null;
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.position.copy(this.controls.target).addScaledVector(direction, distance);
    this.controls.update();
    this.cameraMoved();
    this.onLook();
  }

  /** Moves camera, target and light together [m]. */
  shift(offset: THREE.Vector3): void {
    this.framed = null;
    this.shifted.add(offset);
    this.camera.position.add(offset);
    this.controls.target.add(offset);
    this.moveLights(offset);
  }

  private moveLights(offset: THREE.Vector3): void {
    for (const light of [this.key, this.rim]) {
      light.position.add(offset);
      light.target.position.add(offset);
      light.target.updateMatrixWorld();
    }
  }

  /** Keys: orbit by angles [rad], or come nearer by a factor. */
  orbit(around: number, over: number, nearer: number): void {
    this.framed = null;
    const arm = this.moved.copy(this.camera.position).sub(this.controls.target);
    const ball = new THREE.Spherical().setFromVector3(new THREE.Vector3(arm.x, arm.z, -arm.y));
    ball.theta += around;
    ball.phi = Math.min(Math.max(ball.phi - over, 0.02), Math.PI - 0.02);
    ball.radius *= nearer;
    const turned = new THREE.Vector3().setFromSpherical(ball);
    this.camera.position.copy(this.controls.target).add(new THREE.Vector3(turned.x, -turned.z, turned.y));
    this.controls.update();
    this.cameraMoved();
    this.onLook();
  }

  /** Draws only when the last picture is done, so that a slow graphics processor delays pictures and not the page. */
  private frame(now: number): void {
    this.tellShown(now);
    if (now < this.restUntil || !this.pictureDone(now)) {
      requestAnimationFrame((next) => this.frame(next));
      return;
    }
    this.begun = performance.now();
    const stands = this.stands;
    this.stands = false;
    if (!stands) this.quality.move();
    // Another quality until here is that of this picture and needs none of its own.
    this.scheduled = false;
    const again = this.onFrame(now);
    const seconds = this.going ? (now - this.fenceTime) / 1000 : usualPicture;
    const turning = this.controls.update();
    const moving = [turning, this.ground.advance(seconds)].some(Boolean);
    // It goes on a little after it was let go.
    this.coasts &&= turning;
    if (this.coasts) this.onLook();
    this.render();
    this.underWay.push(...this.waiting.splice(0));
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    this.fenceTime = now;
    this.afterFrame.port2.postMessage(null);
    this.going = again || moving;
    this.quality.drawn(now, this.going);
    if (!this.going && this.underWay.length > 0) this.watchFence();
    if (this.going) this.refresh();
    else if (!this.scheduled && !this.expecting) this.standing = window.setTimeout(() => this.stand(), standsAfter);
  }

  /** Draws at once. */
  render(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (this.sizeDue && width > 0 && height > 0) {
      this.sizeDue = false;
      this.renderer.setPixelRatio(this.quality.ratio(devicePixelRatio));
      this.renderer.setSize(width, height);
    }
    this.renderer.render(this.scene, this.camera);
  }

  private stand(): void {
    this.stands = this.quality.stand();
    if (this.stands) this.refresh();
    else this.renderer.domElement.dataset.picture = 'stands';
  }

  /** Comes when the browser has painted the picture too, which is what takes long where it draws without hardware. */
  private painted(): void {
    const end = performance.now();
    const cost = end - this.begun;
    this.restUntil = cost > busyFrame ? end + Math.min(2 * cost, longestRest) : 0;
  }

  private signaled(now: number): boolean {
    if (!this.fence) return true;
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const open = !gl.isContextLost() && gl.getSyncParameter(this.fence, gl.SYNC_STATUS) !== gl.SIGNALED;
    return !open || now - this.fenceTime >= 2000;
  }

  private tellShown(now: number): void {
    if (this.underWay.length === 0 || !this.signaled(now)) return;
    for (const then of this.underWay.splice(0)) then();
    // What waits for the next picture has its own two seconds.
    clearTimeout(this.patience);
    this.patience = this.waiting.length > 0 ? window.setTimeout(() => this.release(), longestWait) : 0;
  }

  /** While no other picture is wanted, which would look itself. */
  private watchFence(): void {
    requestAnimationFrame((now) => {
      if (this.scheduled) return;
      this.tellShown(now);
      if (this.underWay.length > 0) this.watchFence();
    });
  }

  private pictureDone(now: number): boolean {
    if (!this.fence) return true;
    if (!this.signaled(now)) return false;
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    gl.deleteSync(this.fence);
    this.fence = null;
    this.quality.done(now);
    return true;
  }

  private qualityChanged(): void {
    this.key.castShadow = this.quality.shadows;
    this.sizeDue = true;
    this.onQuality();
    this.refresh();
  }

  private lights(): void {
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(1024, 1024);
    this.key.shadow.bias = -3e-4;
    this.key.shadow.radius = 4;
    this.scene.add(this.key, this.key.target, this.rim, this.rim.target, this.sky, this.ground.group);
  }

  private setTheme(dark: boolean): void {
    this.dark = dark;
    this.ground.setTheme(dark);
    this.sky.groundColor.set(dark ? '#4a4f57' : '#b9b2a7');
    this.onTheme();
    this.refresh();
  }

  private cameraMoved(): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = distance * 0.02;
    this.camera.far = distance * 60;
    this.camera.updateProjectionMatrix();
    this.ground.aim(this.controls.target, distance);
    this.onCamera();
    this.refresh();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (width === 0 || height === 0) return;
    this.sizeDue = true;
    this.shape();
    if (this.framed && !this.framed.followed) this.frameBox(this.framed.box, this.framed.framing);
    else this.onCamera();
    this.refresh();
  }

  /** The camera's window: what is not covered has the angle of view, the rest goes on above it. */
  private shape(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    const free = this.freeHeight;
    this.camera.aspect = width / free;
    const half = Math.tan((fieldOfView * Math.PI) / 360) / Math.min(1, width / free);
    this.camera.fov = (360 / Math.PI) * Math.atan(half);
    if (free < height) this.camera.setViewOffset(width, free, 0, -this.covered.top, width, height);
    else this.camera.clearViewOffset();
    this.camera.updateProjectionMatrix();
  }

  private get freeHeight(): number {
    const { clientHeight: height } = this.container;
    const { top, bottom } = this.covered;
    return top + bottom < 0.5 * height ? height - top - bottom : height;
  }
}
