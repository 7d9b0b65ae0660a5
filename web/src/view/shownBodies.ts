// The bodies that are on screen: those of the present drawing, colored by name or by a field, with the field's legend.
import type * as THREE from 'three';
import { valuesOf } from '../engine/moment';
import type { DrawingData, Field, SnapshotReply } from '../engine/protocol';
import { Bodies } from './bodies';
import { type BodyKind, FieldRanges, kindsOf, mapOf } from './fields';
import type { Legend } from './overlays';
import type { RestShape } from './surface';
import type { Detail } from './tubes';

/** Pictures for which the bodies of an earlier drawing are kept: the new ones take over the programs that they share. */
const picturesKept = 3;

export class ShownBodies {
  private drawing: DrawingData | null = null;
  private bodies: Bodies | null = null;
  private readonly retired: { bodies: Bodies; pictures: number }[] = [];
  /** What the drawing has, without what is hidden. */
  private kinds: BodyKind[] = [];
  private values: Float32Array | null = null;
  private field: Field | null = null;
  private readonly ranges = new FieldRanges();
  private wireframe = false;

  constructor(
    private readonly scene: THREE.Scene,
    private readonly legend: Legend,
  ) {}

  /** Without values until a snapshot brings them; `keepValues`: the same drawing once more. */
  setDrawing(drawing: DrawingData, rest: RestShape, detail: Detail, keepValues = false): void {
    this.drawing = drawing;
    this.kinds = kindsOf(drawing);
    if (this.bodies) {
      this.scene.remove(this.bodies.group);
      this.retired.push({ bodies: this.bodies, pictures: 0 });
    }
    this.bodies = new Bodies(drawing, rest, detail);
    this.bodies.setWireframe(this.wireframe);
    this.scene.add(this.bodies.group);
    if (!keepValues) this.values = null;
  }

  /** Another scene has ranges of its own. */
  reset(): void {
    this.ranges.reset();
  }

  setField(field: Field | null): void {
    this.field = field;
    this.ranges.reset();
    this.legend.hide();
    if (field) return;
    this.values = null;
    this.look();
  }

  setWireframe(shown: boolean): void {
    this.wireframe = shown;
    this.bodies?.setWireframe(shown);
  }

  take({ buffer, counts, field, drawing }: SnapshotReply): void {
    if (field && field === this.field && this.drawing) {
      const values = valuesOf(buffer, counts);
      if (this.values?.length !== values.length) this.values = new Float32Array(values.length);
      this.values.set(values);
      closeTips(this.values, this.drawing);
      const changed = this.ranges.take(field, this.values, this.drawing);
      if (changed || this.legend.element.hidden) this.look();
    }
    // New bodies have the colors of the field from the start.
    if (drawing) this.look();
  }

  look(): void {
    const field = this.values ? this.field : null;
    this.bodies?.setLook((kind) => this.ranges.look(field, kind));
    const rows = field ? this.ranges.rows(field, this.kinds) : [];
    if (field && rows.length > 0) this.legend.show(mapOf(field), rows);
    else this.legend.hide();
  }

  /** Before every picture; `matches`: places belong to the drawing. */
  beforePicture(matches: boolean): void {
    if (this.bodies) this.bodies.group.visible = matches;
    for (const one of this.retired) one.pictures += 1;
    while (this.retired[0]?.pictures > picturesKept) this.retired.shift()?.bodies.dispose();
  }

  update(positions: Float32Array, directors: Float32Array, thicken: number): void {
    this.bodies?.update(positions, directors, this.values, thicken);
  }
}

/** A vine's values belong to its pairs of bodies: its tip, which ends none, has the color of the last pair. */
export function closeTips(values: Float32Array, { parts }: Pick<DrawingData, 'parts'>): void {
  for (const { kind, firstPoint, pointCount } of parts) {
    const last = firstPoint + pointCount - 1;
    if (kind === 'vine' && pointCount > 1) values[last] = values[last - 1];
  }
}
