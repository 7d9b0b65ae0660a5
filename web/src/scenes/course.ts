// The order in which a course would show the scenes, and the one that opens the page. Each scene file is named once.

export const firstScene = 'tentacle';

export const course: { title: string; scenes: string[] }[] = [
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
  { title: 'Instability', scenes: ['buckling-column', 'michell-ring'] },
  { title: 'Soft robots', scenes: ['tentacle', 'pneunet', 'feedback'] },
  { title: 'Networks', scenes: ['l-frame', 'spider'] },
  {
    title: 'Shells',
    scenes: [
      'shell-cantilever',
      'square-plate',
      'end-shear',
      'slit-annular-plate',
      'hemisphere',
      'pinched-cylinder',
      'snap-through-dome',
      'miura-ori',
      'cloth',
      'flag',
      'manta-ray',
      'parachute',
    ],
  },
];
