// The shells of one drawing in the 3D scene: a surface for the opaque ones and one for each see-through one, with
// quiet lines along borders and creases, and all edges on demand.
import * as THREE from 'three';
import type { DrawingData } from '../engine/protocol';
import { type BodyLook, linear } from './bodyMaterial';
import { ShellMaterial } from './shellMaterial';
import { type RestShape, Surface } from './surface';

type Lines = THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;

interface Piece {
  surface: Surface;
  parts: number[];
  mesh: THREE.Mesh<THREE.BufferGeometry, ShellMaterial>;
  border: Lines;
  crease: Lines;
  wire: Lines;
}

export class Shells {
  readonly group = new THREE.Group();
  private readonly pieces: Piece[] = [];

  constructor(
    private readonly drawing: DrawingData,
    private readonly rest: RestShape,
  ) {
    const opaque: number[] = [];
    drawing.parts.forEach((part, p) => {
      if (part.hidden || part.kind !== 'shell') return;
      if (part.opacity >= 1) opaque.push(p);
      else this.add([p], part.opacity);
    });
    if (opaque.length > 0) this.add(opaque, 1);
  }

  update(positions: Float32Array, values: Float32Array | null): void {
    for (const piece of this.pieces) {
      piece.surface.update(positions, values);
      if (piece.surface.outdated) {
        shape(piece, new Surface(this.drawing, piece.parts, this.rest, piece.surface.folded));
        piece.surface.update(positions, values);
      }
      const { position, normal, value } = piece.mesh.geometry.attributes;
      (position as THREE.BufferAttribute).needsUpdate = true;
      (normal as THREE.BufferAttribute).needsUpdate = true;
      if (values) (value as THREE.BufferAttribute).needsUpdate = true;
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

  private add(parts: number[], opacity: number): void {
    const surface = new Surface(this.drawing, parts, this.rest);
    const mesh = new THREE.Mesh(new THREE.BufferGeometry(), new ShellMaterial(opacity));
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    const lines = { border: newLines(0.5 * opacity), crease: newLines(0.38 * opacity), wire: newLines(0.34) };
    const piece: Piece = { surface, parts, mesh, ...lines };
    shape(piece, surface);
    piece.wire.visible = false;
    this.pieces.push(piece);
    this.group.add(mesh, piece.border, piece.crease, piece.wire);
  }
}

/** Gives a piece the buffers of a surface. */
function shape(piece: Piece, surface: Surface): void {
  const { position, normal, value, color, index, border, crease, wire } = surface.buffers;
  const geometry = new THREE.BufferGeometry();
  const moving = (data: Float32Array, size: number): THREE.BufferAttribute =>
    new THREE.BufferAttribute(data, size).setUsage(THREE.DynamicDrawUsage);
  const places = moving(position, 3);
  geometry.setAttribute('position', places);
  geometry.setAttribute('normal', moving(normal, 3));
  geometry.setAttribute('value', moving(value, 1));
  geometry.setAttribute('color', new THREE.BufferAttribute(linear(color), 3));
  geometry.setIndex(new THREE.BufferAttribute(index, 1));
  piece.surface = surface;
  piece.mesh.geometry.dispose();
  piece.mesh.geometry = geometry;
  for (const [lines, ends] of [
    [piece.border, border],
    [piece.crease, crease],
    [piece.wire, wire],
  ] as const) {
    lines.geometry.dispose();
    lines.geometry = new THREE.BufferGeometry().setAttribute('position', places);
    lines.geometry.setIndex(new THREE.BufferAttribute(ends, 1));
  }
  piece.crease.visible = crease.length > 0;
}

/** Lines along edges of a surface, without any yet. */
function newLines(opacity: number): Lines {
  const material = new THREE.LineBasicMaterial({ color: '#0c1a24', transparent: true, opacity, depthWrite: false });
  const lines = new THREE.LineSegments(new THREE.BufferGeometry(), material);
  lines.frustumCulled = false;
  lines.renderOrder = 1;
  return lines;
}
