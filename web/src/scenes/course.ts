// The order in which a course would show the scenes, and the one that opens the page.

export const firstScene = 'helix-b1';

export const course: { title: string; scenes: string[] }[] = [
  {
    title: 'Bending',
    scenes: ['cantilever', 'cantilever-a1', 'cantilever-a2', 'follower-force', 'roll-up', 'bend-45'],
  },
  { title: 'Twist and instability', scenes: ['buckling-column', 'michell-ring', 'contortion', 'rope'] },
  { title: 'Natural shapes', scenes: ['helix-b1', 'helix-b2', 'pneunet'] },
  { title: 'Networks', scenes: ['l-frame', 'spider'] },
];
