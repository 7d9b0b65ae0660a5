// Pictures of scenes that are made without a browser: what is drawn, where light and shadow fall, and the files.
import { inflateSync } from 'node:zlib';
import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { draw, look } from '../pictures/picture';
import { png } from '../pictures/png';
import { type Picture, render } from '../pictures/raster';
import { fakeEngine } from './fakeEngine';

const size = { width: 90, height: 55 };
const text = (scene: object): string => JSON.stringify(scene);

function drawn(scene: object): Picture {
  const seen = look(fakeEngine, text(scene), 0.05);
  if (!seen) throw new Error('nothing to draw');
  return draw(seen, 'light', size);
}

/** Part of the picture that is covered. */
const covered = ({ pixels }: Picture): number => {
  let sum = 0;
  for (let i = 3; i < pixels.length; i += 4) sum += pixels[i] / 255;
  return (4 * sum) / pixels.length;
};

describe('pictures', () => {
  it('show rods, shells, linkages and obstacles', () => {
    for (const scene of [{ bars: 2 }, { bars: 0, sheets: 1 }, { bars: 0, linkage: true }]) {
      const part = covered(drawn(scene));
      expect(part, text(scene)).toBeGreaterThan(0.01);
      expect(part, text(scene)).toBeLessThan(0.8);
    }
    expect(covered(drawn({ bars: 2, obstacles: true }))).toBeGreaterThan(covered(drawn({ bars: 2 })));
  });

  it('are of no text that is not a scene', () => expect(look(fakeEngine, '{', 0.05)).toBeNull());

  it('give back the memory of the scene', () => {
    look(fakeEngine, text({ bars: 1 }), 0.05);
    expect(fakeEngine.made.at(-1)?.disposed).toBe(true);
  });
});

describe('the renderer', () => {
  const camera = new THREE.OrthographicCamera(-2, 2, 2, -2);
  camera.position.set(0, 0, 10);
  camera.updateMatrixWorld();
  const light = { from: new THREE.Vector3(0, 0, 1), middle: new THREE.Vector3(), reach: 4 };
  const square = { width: 40, height: 40 };
  const at = ({ pixels, width }: Picture, x: number, y: number): number[] => [
    ...pixels.subarray(4 * (y * width + x), 4 * (y * width + x) + 4),
  ];
  const sheet = (wide: number, z: number, color: string, opacity = 1): THREE.Mesh => {
    const material = new THREE.MeshStandardMaterial({ color, opacity, transparent: opacity < 1 });
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(wide, wide), material);
    mesh.position.z = z;
    mesh.castShadow = opacity >= 1;
    return mesh;
  };

  it('hides what lies behind, in any order, and leaves free what is empty', () => {
    for (const order of [
      [sheet(1, 1, '#ff0000'), sheet(2, 0, '#0000ff')],
      [sheet(2, 0, '#0000ff'), sheet(1, 1, '#ff0000')],
    ]) {
      const picture = render(new THREE.Group().add(...order), [], camera, light, square);
      const [r, , b, alpha] = at(picture, 20, 20);
      expect([r > 200, b < 60, alpha]).toEqual([true, true, 255]);
      expect(at(picture, 2, 2)[3]).toBe(0);
    }
  });

  it('lets what is clear show what lies behind', () => {
    const picture = render(
      new THREE.Group().add(sheet(1, 1, '#ff0000', 0.5), sheet(2, 0, '#0000ff')),
      [],
      camera,
      light,
      square,
    );
    const [r, , b] = at(picture, 20, 20);
    expect(r).toBeGreaterThan(120);
    expect(b).toBeGreaterThan(120);
  });

  it('throws shadows away from the light', () => {
    const slanted = { ...light, from: new THREE.Vector3(1, 0, 1) };
    const picture = render(
      new THREE.Group().add(sheet(3, 0, '#ffffff'), sheet(0.5, 1, '#ffffff')),
      [],
      camera,
      slanted,
      square,
    );
    // The small sheet at x = 0 throws its shadow to x = -1.
    expect(at(picture, 10, 20)[0]).toBeLessThan(at(picture, 30, 20)[0] - 40);
  });

  it('draws instances where they are', () => {
    const mesh = new THREE.InstancedMesh(
      new THREE.BoxGeometry(0.4, 0.4, 0.4),
      new THREE.MeshStandardMaterial({ color: '#00ff00' }),
      2,
    );
    mesh.setMatrixAt(0, new THREE.Matrix4().makeTranslation(-1, 0, 0));
    mesh.setMatrixAt(1, new THREE.Matrix4().makeTranslation(1, 0, 0));
    const picture = render(mesh, [], camera, light, square);
    expect([at(picture, 10, 20)[3], at(picture, 20, 20)[3], at(picture, 30, 20)[3]]).toEqual([255, 0, 255]);
  });

  it('draws lines over what they lie in', () => {
    const line = { points: [-1.5, 0, 0, 1.5, 0, 0], color: new THREE.Color('#000000') };
    const picture = render(new THREE.Group().add(sheet(3, 0, '#ffffff')), [line], camera, light, square);
    expect(at(picture, 20, 20)[0]).toBeLessThan(60);
    expect(at(picture, 20, 10)[0]).toBeGreaterThan(150);
  });
});

it('PNG files hold the pixels', () => {
  const pixels = Uint8Array.from({ length: 4 * 6 }, (_, i) => (37 * i) % 256);
  const file = png({ width: 3, height: 2, pixels });
  expect(file.subarray(1, 4).toString('latin1')).toBe('PNG');
  const from = file.indexOf('IDAT') + 4;
  const rows = inflateSync(file.subarray(from, from + file.readUInt32BE(from - 8)));
  const read: number[] = [];
  for (let y = 0; y < 2; ++y) {
    for (let i = 0; i < 12; ++i) read.push((rows[y * 13 + 1 + i] + (y > 0 ? read[i] : 0)) & 255);
  }
  expect(read).toEqual([...pixels]);
});
