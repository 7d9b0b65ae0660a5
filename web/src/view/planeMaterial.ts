// The surface of planes: matt, with a soft grid, fading out with the distance; from behind it can be seen through.
import * as THREE from 'three';
import { gridInk, gridLines } from './gridLines';

export class PlaneMaterial extends THREE.MeshStandardMaterial {
  private readonly own = {
    gridInk: { value: new THREE.Color() },
    gridStrength: { value: 0.2 },
    gridSpacing: { value: 1 },
    planeMiddle: { value: new THREE.Vector2() },
    planeReach: { value: 1 },
    planeLowest: { value: -1e30 },
  };

  constructor(opacity: number) {
    super({ roughness: 1, metalness: 0, side: THREE.DoubleSide, transparent: true, opacity, forceSinglePass: true });
    // What lies on the plane wins over it.
    this.polygonOffset = true;
    this.polygonOffsetFactor = 1;
    this.polygonOffsetUnits = 1;
  }

  setTheme(dark: boolean): void {
    this.own.gridInk.value.copy(gridInk(dark));
    this.own.gridStrength.value = dark ? 0.22 : 0.24;
  }

  /** What is seen: `x`, `y` the middle in the plane, from a point that moves with it [m]. */
  aim(x: number, y: number, reach: number, spacing: number): void {
    this.own.planeMiddle.value.set(x, y);
    this.own.planeReach.value = reach;
    this.own.gridSpacing.value = spacing;
  }

  /** Nothing is shown below this height [m]: slopes and walls end where the ground is. */
  cutBelow(height: number): void {
    this.own.planeLowest.value = height;
  }

  override customProgramCacheKey(): string {
    return 'plane';
  }

  override onBeforeCompile(shader: THREE.WebGLProgramParametersWithUniforms): void {
    Object.assign(shader.uniforms, this.own);
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <common>',
        `#include <common>
        uniform vec2 planeMiddle;
        uniform float planeReach;
        varying vec2 vPlane;
        varying float vHeight;`,
      )
      .replace(
        '#include <begin_vertex>',
        `#include <begin_vertex>
        vPlane = planeMiddle + planeReach * position.xy;
        vHeight = (modelMatrix * vec4(position, 1.0)).z;`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        `#include <common>
        varying vec2 vPlane;
        varying float vHeight;
        uniform float planeLowest;
        uniform vec3 gridInk;
        uniform float gridStrength;
        uniform float gridSpacing;
        uniform vec2 planeMiddle;
        uniform float planeReach;
        ${gridLines}`,
      )
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
        diffuseColor.rgb = mix(diffuseColor.rgb, gridInk, gridStrength * gridLines(vPlane / gridSpacing));
        diffuseColor.a *= fadeOut(length(vPlane - planeMiddle) / planeReach);
        diffuseColor.a *= clamp((vHeight - planeLowest) / max(fwidth(vHeight), 1e-9) + 0.5, 0.0, 1.0);
        if (diffuseColor.a < 2e-3) discard;
        if (!gl_FrontFacing) diffuseColor.a *= 0.2;`,
      );
  }
}
