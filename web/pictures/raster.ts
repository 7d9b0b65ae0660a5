// A small software renderer for pictures that are made where there is no graphics hardware: one orthographic camera, soft light
// from above, and one light with shadows. It draws what three.js meshes hold, with their colors; materials' shaders are not run.
import * as THREE from 'three';
import { PlaneMaterial } from '../src/view/planeMaterial';

export interface Picture {
  width: number;
  height: number;
  /** sRGB with straight alpha, 4 bytes per pixel, from the upper left. */
  pixels: Uint8Array;
}

export interface Line {
  /** 3 numbers each [m]. */
  points: ArrayLike<number>;
  color: THREE.Color;
}

export interface Light {
  /** From where it shines, as from the middle; the shadow covers `reach` around that [m]. */
  from: THREE.Vector3;
  middle: THREE.Vector3;
  reach: number;
}

/** Samples per pixel across and up. */
const samples = 2;
const shadowSize = 1024;
const sky = new THREE.Color('#ffffff');
const earth = new THREE.Color('#b9b2a7');
const skyStrength = 1.3 / Math.PI;
const lightStrength = 2 / Math.PI;

interface Triangle {
  /** 3 corners: place, normal, linear color. */
  places: Float64Array;
  normals: Float64Array;
  colors: Float64Array;
  opacity: number;
  plane: PlaneLook | null;
  casts: boolean;
}

interface PlaneLook {
  home: THREE.Vector3;
  across: THREE.Vector3;
  along: THREE.Vector3;
  reach: number;
}

export function render(
  scene: THREE.Object3D,
  lines: Line[],
  camera: THREE.OrthographicCamera,
  light: Light,
  size: Size,
): Picture {
  scene.updateMatrixWorld(true);
  camera.updateMatrixWorld();
  const triangles = trianglesOf(scene);
  const shadow = new Shadow(light, triangles);
  const canvas = new Canvas(camera, size.width * samples, size.height * samples);
  const solid = triangles.filter(({ opacity, plane }) => opacity >= 1 && !plane);
  const clear = triangles.filter(({ opacity, plane }) => opacity < 1 || plane);
  for (const triangle of solid) canvas.fill(triangle, shadow);
  for (const line of lines) canvas.stroke(line);
  for (const triangle of clear.sort((a, b) => canvas.depthOf(a) - canvas.depthOf(b))) canvas.fill(triangle, shadow);
  return canvas.picture(size);
}

export interface Size {
  width: number;
  height: number;
}

function trianglesOf(scene: THREE.Object3D): Triangle[] {
  const found: Triangle[] = [];
  scene.traverseVisible((object) => {
    if (!(object instanceof THREE.Mesh) || object instanceof THREE.Line) return;
    const material = object.material as THREE.Material;
    if (material instanceof THREE.ShaderMaterial || !material.visible) return;
    const matrix = new THREE.Matrix4();
    const count = object instanceof THREE.InstancedMesh ? object.count : 1;
    for (let i = 0; i < count; ++i) {
      matrix.copy(object.matrixWorld);
      let color = (material as THREE.MeshStandardMaterial).color ?? new THREE.Color('#888888');
      if (object instanceof THREE.InstancedMesh) {
        const own = new THREE.Matrix4();
        object.getMatrixAt(i, own);
        matrix.multiply(own);
        if (object.instanceColor) object.getColorAt(i, (color = new THREE.Color()));
      }
      addMesh(found, object.geometry, matrix, color, material, object.castShadow);
    }
  });
  return found;
}

function addMesh(
  found: Triangle[],
  geometry: THREE.BufferGeometry,
  matrix: THREE.Matrix4,
  base: THREE.Color,
  material: THREE.Material,
  casts: boolean,
): void {
  const position = geometry.getAttribute('position');
  const normal = geometry.getAttribute('normal');
  const color = material.vertexColors ? geometry.getAttribute('color') : undefined;
  const turn = new THREE.Matrix3().getNormalMatrix(matrix);
  const index = geometry.getIndex();
  const count = index ? index.count : position.count;
  const from = geometry.drawRange.start;
  const to = Math.min(count, geometry.drawRange.start + geometry.drawRange.count);
  const place = new THREE.Vector3();
  const reach = new THREE.Vector3().setFromMatrixColumn(matrix, 0).length();
  const plane: PlaneLook | null =
    material instanceof PlaneMaterial
      ? {
          home: new THREE.Vector3().setFromMatrixPosition(matrix),
          across: new THREE.Vector3().setFromMatrixColumn(matrix, 0).normalize(),
          along: new THREE.Vector3().setFromMatrixColumn(matrix, 1).normalize(),
          reach,
        }
      : null;
  const opacity = material.transparent ? material.opacity : 1;
  for (let t = from; t + 2 < to; t += 3) {
    const one: Triangle = {
      places: new Float64Array(9),
      normals: new Float64Array(9),
      colors: new Float64Array(9),
      opacity,
      plane,
      casts,
    };
    for (let k = 0; k < 3; ++k) {
      const v = index ? index.getX(t + k) : t + k;
      place
        .fromBufferAttribute(position, v)
        .applyMatrix4(matrix)
        .toArray(one.places, 3 * k);
      if (normal)
        place
          .fromBufferAttribute(normal, v)
          .applyMatrix3(turn)
          .normalize()
          .toArray(one.normals, 3 * k);
      one.colors[3 * k] = base.r * (color ? color.getX(v) : 1);
      one.colors[3 * k + 1] = base.g * (color ? color.getY(v) : 1);
      one.colors[3 * k + 2] = base.b * (color ? color.getZ(v) : 1);
    }
    if (one.places.every(Number.isFinite)) found.push(one);
  }
}

/** Visits the samples of a triangle, given by its corners on a grid: sample's column and row, and the corners' weights. */
function visit(
  x: number[],
  y: number[],
  width: number,
  height: number,
  see: (column: number, row: number, a: number, b: number, c: number) => void,
): void {
  const area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
  if (!(Math.abs(area) > 1e-12)) return;
  const left = Math.max(0, Math.ceil(Math.min(...x) - 0.5));
  const right = Math.min(width - 1, Math.floor(Math.max(...x) - 0.5));
  const top = Math.max(0, Math.ceil(Math.min(...y) - 0.5));
  const bottom = Math.min(height - 1, Math.floor(Math.max(...y) - 0.5));
  for (let row = top; row <= bottom; ++row) {
    for (let column = left; column <= right; ++column) {
      const px = column + 0.5;
      const py = row + 0.5;
      const a = ((x[1] - px) * (y[2] - py) - (x[2] - px) * (y[1] - py)) / area;
      const b = ((x[2] - px) * (y[0] - py) - (x[0] - px) * (y[2] - py)) / area;
      const c = 1 - a - b;
      if (a >= 0 && b >= 0 && c >= 0) see(column, row, a, b, c);
    }
  }
}

/** How far the light reaches, seen from it. */
class Shadow {
  private readonly depth = new Float32Array(shadowSize * shadowSize).fill(Infinity);
  private readonly across = new THREE.Vector3();
  private readonly up = new THREE.Vector3();
  readonly toward: THREE.Vector3;
  private readonly scale: number;

  constructor(
    private readonly light: Light,
    triangles: Triangle[],
  ) {
    this.toward = light.from.clone().normalize();
    this.across.set(0, 0, 1).cross(this.toward).normalize();
    this.up.crossVectors(this.toward, this.across);
    this.scale = shadowSize / (2 * light.reach);
    for (const { places, casts } of triangles) {
      if (!casts) continue;
      const corners = [0, 3, 6].map((i) => this.seen(places[i], places[i + 1], places[i + 2]));
      visit(
        corners.map(({ x }) => x),
        corners.map(({ y }) => y),
        shadowSize,
        shadowSize,
        (column, row, a, b, c) => {
          const z = a * corners[0].z + b * corners[1].z + c * corners[2].z;
          const at = row * shadowSize + column;
          if (z < this.depth[at]) this.depth[at] = z;
        },
      );
    }
  }

  /** Part of the light that comes to a place whose normal is n. */
  lit(x: number, y: number, z: number, n: THREE.Vector3): number {
    const slack = 0.006 * this.light.reach;
    const { middle } = this.light;
    const { across, up, toward, scale, depth } = this;
    const dx = x + slack * n.x - middle.x;
    const dy = y + slack * n.y - middle.y;
    const dz = z + slack * n.z - middle.z;
    const column = Math.floor(shadowSize / 2 + scale * (dx * across.x + dy * across.y + dz * across.z));
    const row = Math.floor(shadowSize / 2 + scale * (dx * up.x + dy * up.y + dz * up.z));
    const far = -(dx * toward.x + dy * toward.y + dz * toward.z) - slack;
    let light = 0;
    for (let r = row - 1; r <= row + 1; ++r) {
      for (let c = column - 1; c <= column + 1; ++c) {
        const inside = c >= 0 && r >= 0 && c < shadowSize && r < shadowSize;
        if (!inside || far <= depth[r * shadowSize + c]) light += 1;
      }
    }
    return light / 9;
  }

  private seen(x: number, y: number, z: number): THREE.Vector3 {
    const away = new THREE.Vector3(x, y, z).sub(this.light.middle);
    return new THREE.Vector3(
      shadowSize / 2 + this.scale * away.dot(this.across),
      shadowSize / 2 + this.scale * away.dot(this.up),
      -away.dot(this.toward),
    );
  }
}

class Canvas {
  private readonly depth: Float32Array;
  /** Linear, premultiplied, with alpha: 4 per sample. */
  private readonly color: Float32Array;
  private readonly view: THREE.Matrix4;
  private readonly back: THREE.Vector3;

  constructor(
    private readonly camera: THREE.OrthographicCamera,
    private readonly width: number,
    private readonly height: number,
  ) {
    this.depth = new Float32Array(width * height).fill(Infinity);
    this.color = new Float32Array(4 * width * height);
    this.view = camera.matrixWorld.clone().invert();
    this.back = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 2);
  }

  depthOf({ places }: Triangle): number {
    return this.view.elements[2] * places[0] + this.view.elements[6] * places[1] + this.view.elements[10] * places[2];
  }

  fill({ places, normals, colors, opacity, plane }: Triangle, shadow: Shadow): void {
    const corners = [0, 3, 6].map((i) => this.seen(new THREE.Vector3(places[i], places[i + 1], places[i + 2])));
    const n = new THREE.Vector3();
    const at = new THREE.Vector3();
    const mix = (of: Float64Array, k: number, a: number, b: number, c: number): number =>
      a * of[k] + b * of[3 + k] + c * of[6 + k];
    visit(
      corners.map(({ x }) => x),
      corners.map(({ y }) => y),
      this.width,
      this.height,
      (column, row, a, b, c) => {
        const sample = row * this.width + column;
        const z = a * corners[0].z + b * corners[1].z + c * corners[2].z;
        if (z > this.depth[sample]) return;
        n.set(mix(normals, 0, a, b, c), mix(normals, 1, a, b, c), mix(normals, 2, a, b, c)).normalize();
        if (n.dot(this.back) < 0) n.negate();
        at.set(mix(places, 0, a, b, c), mix(places, 1, a, b, c), mix(places, 2, a, b, c));
        const alpha = plane ? opacity * fadeOut(at, plane) : opacity;
        if (alpha < 0.004) return;
        const facing = Math.max(0, n.dot(shadow.toward));
        const direct = facing > 0 ? lightStrength * facing * shadow.lit(at.x, at.y, at.z, n) : 0;
        const up = 0.5 + 0.5 * n.z;
        const from = skyStrength * up;
        const below = skyStrength - from;
        const r = mix(colors, 0, a, b, c) * (direct + from * sky.r + below * earth.r);
        const g = mix(colors, 1, a, b, c) * (direct + from * sky.g + below * earth.g);
        const blue = mix(colors, 2, a, b, c) * (direct + from * sky.b + below * earth.b);
        this.put(sample, r, g, blue, alpha);
        if (opacity >= 1 && !plane) this.depth[sample] = z;
      },
    );
  }

  /** About two pixels wide, a little in front of what it lies in. */
  stroke({ points, color }: Line): void {
    const half = samples;
    const slack = 0.02 * (this.camera.top - this.camera.bottom);
    for (let i = 0; i + 5 < points.length; i += 3) {
      const a = this.seen(new THREE.Vector3(points[i], points[i + 1], points[i + 2]));
      const b = this.seen(new THREE.Vector3(points[i + 3], points[i + 4], points[i + 5]));
      if (![a.x, a.y, b.x, b.y].every(Number.isFinite)) continue;
      const side = new THREE.Vector2(a.y - b.y, b.x - a.x).normalize().multiplyScalar(half);
      const x = [a.x - side.x, a.x + side.x, b.x + side.x, b.x - side.x];
      const y = [a.y - side.y, a.y + side.y, b.y + side.y, b.y - side.y];
      const z = Math.min(a.z, b.z) - slack;
      for (const [p, q, r] of [
        [0, 1, 2],
        [0, 2, 3],
      ]) {
        visit([x[p], x[q], x[r]], [y[p], y[q], y[r]], this.width, this.height, (column, row) => {
          const sample = row * this.width + column;
          if (z > this.depth[sample]) return;
          this.depth[sample] = z;
          this.put(sample, color.r, color.g, color.b, 1);
        });
      }
    }
  }

  picture({ width, height }: Size): Picture {
    const pixels = new Uint8Array(4 * width * height);
    for (let y = 0; y < height; ++y) {
      for (let x = 0; x < width; ++x) {
        const sum = [0, 0, 0, 0];
        for (let dy = 0; dy < samples; ++dy) {
          for (let dx = 0; dx < samples; ++dx) {
            const from = 4 * ((y * samples + dy) * this.width + x * samples + dx);
            for (let k = 0; k < 4; ++k) sum[k] += this.color[from + k];
          }
        }
        const to = 4 * (y * width + x);
        const alpha = sum[3] / samples ** 2;
        if (alpha <= 0) continue;
        for (let k = 0; k < 3; ++k) pixels[to + k] = byte(sum[k] / sum[3]);
        pixels[to + 3] = Math.round(255 * Math.min(1, alpha));
      }
    }
    return { width, height, pixels };
  }

  private put(sample: number, r: number, g: number, b: number, alpha: number): void {
    const to = 4 * sample;
    const left = 1 - alpha;
    this.color[to] = alpha * r + left * this.color[to];
    this.color[to + 1] = alpha * g + left * this.color[to + 1];
    this.color[to + 2] = alpha * b + left * this.color[to + 2];
    this.color[to + 3] = alpha + left * this.color[to + 3];
  }

  /** Samples from the upper left, and the distance from the camera [m]. */
  private seen(place: THREE.Vector3): THREE.Vector3 {
    const { left, right, top, bottom } = this.camera;
    const p = place.applyMatrix4(this.view);
    return new THREE.Vector3(
      ((p.x - left) / (right - left)) * this.width,
      ((top - p.y) / (top - bottom)) * this.height,
      -p.z,
    );
  }
}

/** As the shader of planes: nothing is left of them at their reach. */
function fadeOut(at: THREE.Vector3, { home, across, along, reach }: PlaneLook): number {
  const x = (at.x - home.x) * across.x + (at.y - home.y) * across.y + (at.z - home.z) * across.z;
  const y = (at.x - home.x) * along.x + (at.y - home.y) * along.y + (at.z - home.z) * along.z;
  const part = Math.hypot(x, y) / reach;
  const t = Math.min(1, Math.max(0, (part - 0.25) / 0.75));
  return 1 - t * t * (3 - 2 * t);
}

function byte(value: number): number {
  const c = Math.min(1, Math.max(0, value));
  return Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
}
