// The lines of grids, on the ground and on planes: the same width in pixels everywhere, gone where they would blur.
import * as THREE from 'three';

/** GLSL: how much of a line covers `at` [cells], between 0 and 1; every fifth line is stronger. */
export const gridLines = `
float linesAt(vec2 at, float width) {
  vec2 spread = fwidth(at);
  vec2 near = abs(fract(at - 0.5) - 0.5) / max(spread, vec2(1e-6));
  vec2 line = 1.0 - smoothstep(width - 0.5, width + 0.7, near);
  line *= 1.0 - smoothstep(vec2(0.25), vec2(0.6), spread);
  return max(line.x, line.y);
}
float gridLines(vec2 at) {
  return max(linesAt(at, 0.5) * 0.45, linesAt(at / 5.0, 0.6));
}
float fadeOut(float part) {
  return 1.0 - smoothstep(0.25, 1.0, part);
}`;

export const gridInk = (dark: boolean): THREE.Color => new THREE.Color(dark ? '#9fb0bd' : '#5d6b78');
