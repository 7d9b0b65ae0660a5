// The order in which a course would show the scenes, and the one that opens the page. Each scene file is named once, or
// finds its chapter by its tag.

export const firstScene = 'tentacle';

interface Part {
  title: string;
  scenes: string[];
  /** Scenes with this tag that no chapter names follow those named here. */
  rest?: string;
}

export const course: Part[] = [
  {
    title: 'Bending',
    scenes: [
      'cantilever',
      'cantilever-figure',
      'elastica-tip-load',
      'heavy-elastica',
      'roll-up',
      'follower-force',
      'bend-45',
    ],
  },
  { title: 'Vibration', scenes: ['pluck', 'cantilever-a1', 'cantilever-a2'] },
  { title: 'Coils and twist', scenes: ['hanging-helix', 'helix-b1', 'helix-b2', 'rope', 'contortion'] },
  { title: 'Instability', scenes: ['buckling-column', 'michell-ring', 'lateral-buckling', 'bend-twist'] },
  {
    title: 'Linkages: rigid and soft links',
    rest: 'linkage',
    scenes: [
      'tapered-release',
      'tendon',
      'soft-manipulator',
      'obstacle-arm',
      'gripper',
      'hybrid-chain',
      'four-bar',
      'slider-crank',
      'follower-force-linkage',
      'flagellate',
      'demo-linkage',
      'demo-linkage-motion',
      'controlled-linkage',
      'swimming-tail',
      'quadruped',
    ],
  },
  {
    title: 'Vines: robots that grow',
    rest: 'vine',
    scenes: [
      'vine-circle',
      'vine-steered',
      'vine-blocked',
      'vine-wall',
      'vine-clutter',
      'vine-maze',
      'vine-oscillation',
      'vine-runtime',
    ],
  },
  { title: 'Soft robots', scenes: ['tentacle', 'pneunet', 'feedback'] },
  { title: 'Networks', scenes: ['l-frame', 'spider', 'tensegrity'] },
  {
    title: 'Shells',
    scenes: [
      'shell-cantilever',
      'shell-cantilever-hinge',
      'cantilever-models',
      'square-plate',
      'end-shear',
      'slit-annular-plate',
      'hemisphere',
      'pinched-cylinder',
      'snap-through-dome',
      'snap-through-dome-dynamic',
      'miura-ori',
      'cloth',
      'flag',
      'manta-ray',
      'parachute',
      'mushroom',
    ],
  },
  {
    title: 'Contact',
    scenes: [
      'friction-c',
      'incline',
      'dragged-rod',
      'stick-slip',
      'rod-drop',
      'earthworm',
      'snake',
      'horton-walker',
      'capstan',
      'sphere-grip',
      'spider-drop',
      'entanglement',
      'overhand-knot',
      'plectoneme',
      'rod-pile',
      'flagellum',
      'cloth-on-sphere',
    ],
  },
];
