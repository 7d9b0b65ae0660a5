// The shells of one drawing in the 3D scene: a surface for the opaque ones and one for each see-through one, with
// quiet lines along borders and creases, and all edges on demand.
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';
import { type BodyLook, linear } from './bodyMaterial';
import { ShellMaterial } from './shellMaterial';
import { Surface } from './surface';

type Lines = THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;

interface Piece {
  surface: Surface;
  mesh: THREE.Mesh<THREE.BufferGeometry, ShellMaterial>;
  border: Lines;
  crease: Lines;
  wire: Lines;
}

export class Shells {
  readonly group = new THREE.Group();
  private readonly pieces: Piece[] = [];

  constructor(drawing: DrawingData) {
    const opaque: number[] = [];
    drawing.parts.forEach((part, p) => {
      if (part.hidden || part.kind !== 'shell') return;
      if (part.opacity >= 1) opaque.push(p);
      else this.add(drawing, [p], part.opacity);
    });
    if (opaque.length > 0) this.add(drawing, opaque, 1);
  }

  update(positions: Float32Array, directors: Float32Array, values: Float32Array | null): void {
    for (const { surface, mesh, crease } of this.pieces) {
      surface.update(positions, directors, values);
      const { position, normal, value, fold } = mesh.geometry.attributes;
      (position as THREE.BufferAttribute).needsUpdate = true;
      (normal as THREE.BufferAttribute).needsUpdate = true;
      if (values) (value as THREE.BufferAttribute).needsUpdate = true;
      if (!surface.creasesChanged) continue;
      (fold as THREE.BufferAttribute).needsUpdate = true;
      showFirst(crease, surface.creaseCount);
    }
  }

  setLook(look: BodyLook): void {
    for (const { mesh } of this.pieces) mesh.material.setLook(look);
  }

  setWireframe(shown: boolean): void {
    for (const { wire } of this.pieces) wire.visible = shown;
  }

  dispose(): void {
    for (const { mesh, border, crease, wire } of this.pieces) {
      for (const node of [mesh, border, crease, wire]) {
        node.geometry.dispose();
        node.material.dispose();
      }
    }
    this.group.clear();
  }

  private add(drawing: DrawingData, parts: number[], opacity: number): void {
    const surface = new Surface(drawing, parts);
    const { position, normal, value, fold, color, index, border, crease, wire } = surface.buffers;
    const geometry = new THREE.BufferGeometry();
    const moving = (data: Float32Array, size: number): THREE.BufferAttribute =>
      new THREE.BufferAttribute(data, size).setUsage(THREE.DynamicDrawUsage);
    const places = moving(position, 3);
    geometry.setAttribute('position', places);
    geometry.setAttribute('normal', moving(normal, 3));
    geometry.setAttribute('value', moving(value, 1));
    geometry.setAttribute('fold', moving(fold, 1));
    geometry.setAttribute('color', new THREE.BufferAttribute(linear(color), 3));
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    const mesh = new THREE.Mesh(geometry, new ShellMaterial(opacity));
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    const piece: Piece = {
      surface,
      mesh,
      border: newLines(places, border, 0.5 * opacity),
      crease: newLines(places, crease, 0.38 * opacity),
      wire: newLines(places, wire, 0.34),
    };
    piece.wire.visible = piece.crease.visible = false;
    this.pieces.push(piece);
    this.group.add(mesh, piece.border, piece.crease, piece.wire);
  }
}

/** Lines along edges of a surface, over the places of its vertices. */
function newLines(places: THREE.BufferAttribute, index: Uint32Array, opacity: number): Lines {
  const geometry = new THREE.BufferGeometry().setAttribute('position', places);
  geometry.setIndex(new THREE.BufferAttribute(index, 1).setUsage(THREE.DynamicDrawUsage));
  const material = new THREE.LineBasicMaterial({ color: '#0c1a24', transparent: true, opacity, depthWrite: false });
  const lines = new THREE.LineSegments(geometry, material);
  lines.frustumCulled = false;
  lines.renderOrder = 1;
  return lines;
}

function showFirst(lines: Lines, count: number): void {
  lines.visible = count > 0;
  lines.geometry.setDrawRange(0, 2 * count);
  if (count === 0 || !lines.geometry.index) return;
  lines.geometry.index.clearUpdateRanges();
  lines.geometry.index.addUpdateRange(0, 2 * count);
  lines.geometry.index.needsUpdate = true;
}
