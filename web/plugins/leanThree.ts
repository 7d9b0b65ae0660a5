// Leaves out of the built page what three.js brings along for features that the view does not have: virtual reality,
// environment maps, render passes, and in its shaders what only MeshPhysicalMaterial switches on. A third of a second on a
// slow line. Who needs one of them takes it off the lists: until then the build fails, or the page says so.
import type { Plugin } from 'vite';

const leftOut = (name: string): string =>
  `export class ${name} { constructor() { throw new Error('${name} is left out of the page: see web/plugins/leanThree.ts'); } }`;

const modules: Record<string, string> = {
  'renderers/webxr/WebXRManager.js': `
    import { EventDispatcher } from '../../core/EventDispatcher.js';
    export class WebXRManager extends EventDispatcher {
      enabled = false;
      isPresenting = false;
      setAnimationLoop() {}
      getEnvironmentBlendMode() { return null; }
      hasDepthSensing() { return false; }
      dispose() {}
    }`,
  'extras/PMREMGenerator.js': leftOut('PMREMGenerator'),
  'renderers/webgl/WebGLOutput.js': leftOut('WebGLOutput'),
  'renderers/WebGLCubeRenderTarget.js': leftOut('WebGLCubeRenderTarget'),
};

/** What shaders ask for and no material of the view defines. */
const never = new Set([
  'USE_TRANSMISSION',
  'USE_TRANSMISSIONMAP',
  'USE_THICKNESSMAP',
  'USE_CLEARCOAT',
  'USE_CLEARCOATMAP',
  'USE_CLEARCOAT_NORMALMAP',
  'USE_CLEARCOAT_ROUGHNESSMAP',
  'USE_IRIDESCENCE',
  'USE_IRIDESCENCEMAP',
  'USE_IRIDESCENCE_THICKNESSMAP',
  'USE_SHEEN',
  'USE_SHEEN_COLORMAP',
  'USE_SHEEN_ROUGHNESSMAP',
  'USE_ANISOTROPY',
  'USE_ANISOTROPYMAP',
  'USE_DISPERSION',
  'USE_RETROREFLECTION',
  'USE_DIFFUSE_ROUGHNESS',
  'USE_DIFFUSE_ROUGHNESSMAP',
  'USE_SPECULAR',
  'USE_SPECULAR_COLORMAP',
  'USE_SPECULAR_INTENSITYMAP',
  'PHYSICAL',
  'IOR',
  'USE_ENVMAP',
  'ENVMAP_TYPE_CUBE_UV',
  'USE_LIGHT_PROBES',
  'USE_LIGHT_PROBES_GRID',
  'USE_LIGHTMAP',
  'USE_AOMAP',
  'USE_BUMPMAP',
  'USE_NORMALMAP',
  'USE_NORMALMAP_TANGENTSPACE',
  'USE_NORMALMAP_OBJECTSPACE',
  'USE_DISPLACEMENTMAP',
  'USE_EMISSIVEMAP',
  'USE_ROUGHNESSMAP',
  'USE_METALNESSMAP',
  'USE_ALPHAHASH',
  'USE_BATCHING',
  'USE_BATCHING_COLOR',
  'USE_SKINNING',
  'USE_MORPHTARGETS',
  'USE_MORPHNORMALS',
  'USE_MORPHCOLORS',
  'USE_INSTANCING_MORPH',
  'USE_FOG',
  'USE_LOGARITHMIC_DEPTH_BUFFER',
  'SHADOWMAP_TYPE_VSM',
]);

/** What a material of ours would set to define them. */
const settings =
  /\b(normalMap|bumpMap|displacementMap|envMap|environment|lightMap|aoMap|emissiveMap|roughnessMap|metalnessMap|alphaHash|fog|logarithmicDepthBuffer|morphAttributes|VSMShadowMap)\b\s*[:=]/;

/** Materials that bring them. */
const materials = /\/(MeshPhysicalMaterial|MeshToonMaterial|MeshMatcapMaterial)\.js$/;

export function leanThree(): Plugin {
  let asked = new Set<string>();
  return {
    name: 'lean-three',
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      asked = new Set(Object.keys(modules));
    },
    async resolveId(id, importer) {
      // Its bundle holds everything in two modules: those that it was made of can be told apart.
      if (id === 'three') return this.resolve('three/src/Three.js', importer, { skipSelf: true });
      return undefined;
    },
    load(id) {
      const name = Object.keys(modules).find((one) => id.endsWith(`/three/src/${one}`));
      if (!name) return undefined;
      asked.delete(name);
      return modules[name];
    },
    transform(code, id) {
      const setting = /\/src\/view\/\w+\.ts$/.test(id) ? settings.exec(code) : null;
      if (setting) this.error(`${id}: ${setting[1]} needs shaders that leanThree.ts leaves out.`);
      if (!/\/three\/src\/.*\.glsl\.js$/.test(id)) return undefined;
      return { code: code.replace(/`([^`]*)`/g, (_, shader: string) => `\`${lean(shader)}\``), map: null };
    },
    generateBundle(_, bundle) {
      if (asked.size > 0) this.error(`three.js has no ${[...asked].join(', ')} any more.`);
      for (const file of Object.values(bundle)) {
        const found = file.type === 'chunk' ? Object.entries(file.modules) : [];
        for (const [id, { renderedLength }] of found)
          if (renderedLength > 0 && materials.test(id)) this.error(`${id} needs shaders that leanThree.ts leaves out.`);
      }
    },
  };
}

/** The shader without comments, indents and branches that are never taken. */
export function lean(shader: string): string {
  const lines = shader
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .map((line) => line.replace(/\/\/.*/, '').trim())
    .filter((line) => line !== '');
  return `${branch(lines, 0, false).kept.join('\n')}\n`;
}

/** Lines from `at` to the end of their branch, without those of branches that are never taken. */
function branch(lines: string[], at: number, inside: boolean): { kept: string[]; at: number } {
  const kept: string[] = [];
  for (let i = at; i < lines.length; ++i) {
    if (inside && /^#\s*(else|elif|endif)/.test(lines[i])) return { kept, at: i };
    if (!/^#\s*if/.test(lines[i])) {
      kept.push(lines[i]);
      continue;
    }
    const parts = [{ head: lines[i], body: branch(lines, i + 1, true) }];
    while (!/^#\s*endif/.test(lines[parts[parts.length - 1].body.at] ?? '#endif')) {
      const next = parts[parts.length - 1].body.at;
      parts.push({ head: lines[next], body: branch(lines, next + 1, true) });
    }
    i = parts[parts.length - 1].body.at;
    const value = parts.some(({ head }) => /^#\s*elif/.test(head)) ? null : known(parts[0].head);
    const end = parts.length > 1 ? parts[1].body.kept : [];
    if (value === false) kept.push(...end);
    else if (value === true) kept.push(...parts[0].body.kept);
    else kept.push(...parts.flatMap(({ head, body }) => [head, ...body.kept]), '#endif');
  }
  return { kept, at: lines.length };
}

/** What a condition comes to, as far as that is known. */
function known(head: string): boolean | null {
  const [, not, name] = /^#\s*if(n?)def\s+(\w+)$/.exec(head) ?? [];
  if (name) return never.has(name) ? not === 'n' : null;
  const [, condition = ''] = /^#\s*if\s+(.*)$/.exec(head) ?? [];
  const off = (term: string): boolean => {
    const [, one = ''] = /^\s*defined\s*\(\s*(\w+)\s*\)\s*$/.exec(term) ?? [];
    return never.has(one);
  };
  const plain = condition.replace(/defined\s*\(\s*\w+\s*\)/g, '');
  if (condition === '' || /[()]/.test(plain)) return null;
  return condition.split('||').every((part) => part.split('&&').some(off)) ? false : null;
}
