// Colors: bodies by name from a set that color-blind people can tell apart, fields by perceptual maps.
import { isDark } from '../ui/theme';

/** After Okabe and Ito, in an order that keeps neighbors distinct. */
const bodyColors = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8a6fd1', '#7f8c8d'];

/** Dark blue to yellow with lightness rising evenly (the anchors of viridis). */
const sequential = ['#440154', '#472d7b', '#3b528b', '#2c728e', '#21918c', '#28ae80', '#5ec962', '#addc30', '#fde725'];
/** Blue over gray to red, for values with a sign. */
const diverging = ['#1d4f91', '#3f7fbf', '#86b3da', '#c3d3e0', '#dcdcdc', '#ecc8b8', '#e09a80', '#c65a48', '#8f1f27'];

/** From pushing over slack to pulling, bright at both ends: lines are thin and lie on bodies of any color. */
const tension = ['#0aa2ff', '#2d8fe6', '#5f8fc0', '#8b8e92', '#c98a4e', '#ee7426', '#ff4200'];

/** Maps of fields. */
export type FieldMap = 'sequential' | 'diverging';
export type MapName = FieldMap | 'tension';

const anchorsOf: Record<MapName, string[]> = { sequential, diverging, tension };

export const mapSize = 256;

/** The map as mapSize RGBA bytes in sRGB. */
export function mapBytes(name: MapName): Uint8Array {
  const anchors = anchorsOf[name].map(channels);
  const bytes = new Uint8Array(mapSize * 4);
  for (let i = 0; i < mapSize; ++i) {
    const place = (i / (mapSize - 1)) * (anchors.length - 1);
    const k = Math.min(Math.floor(place), anchors.length - 2);
    for (let c = 0; c < 3; ++c) {
      bytes[4 * i + c] = Math.round(anchors[k][c] + (anchors[k + 1][c] - anchors[k][c]) * (place - k));
    }
    bytes[4 * i + 3] = 255;
  }
  return bytes;
}

function channels(hex: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

/** Of rigid links without a color of their own: what bends has the colors. */
export const rigidColor = '#98a3ad';

/** One color per body: its own where the scene gives one; otherwise copies of one thing ("leg0", "leg1") share theirs. */
export function colorsByName(parts: { name: string; color: string; kind?: string }[]): string[] {
  const stem = (name: string): string => name.replace(/_?\d+$/, '') || name;
  const stems = [...new Set(parts.filter(({ kind }) => kind !== 'rigid').map(({ name }) => stem(name)))];
  return parts.map((part) => {
    if (isHex(part.color)) return part.color;
    if (part.kind === 'rigid') return rigidColor;
    return bodyColors[stems.indexOf(stem(part.name)) % bodyColors.length];
  });
}

/** Colors of the lines of one plot: those of bodies, halfway to white on a dark page, where these are too dim for lines. */
export function lineColor(index: number, dark = isDark()): string {
  const color = bodyColors[index % bodyColors.length];
  return dark
    ? `#${channels(color)
        .map((c) => Math.round((c + 255) / 2).toString(16))
        .join('')}`
    : color;
}

export const isHex = (color: string): boolean => /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(color);

/** "#3a7" or "#33aa77" as three bytes. */
export function hexBytes(hex: string): number[] {
  return channels(hex.length === 4 ? `#${[...hex.slice(1)].map((c) => c + c).join('')}` : hex);
}
