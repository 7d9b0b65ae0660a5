// Steps a scene to its end and prints what its probes measure, ten times on the way: node tip.mjs SCENE.json
import { loadEngine, readScene } from '@tendril/engine';

const [path] = process.argv.slice(2);
if (!path) {
  console.error('Usage: node tip.mjs SCENE.json');
  process.exit(2);
}
const engine = await loadEngine();
const sim = engine.simulation(await readScene(path));
console.log(sim.info().title);
while (!sim.finished) {
  const { time } = sim.advance(sim.duration / 10);
  console.log(`t = ${time.toPrecision(4)} s`, sim.probes());
}
sim.dispose();
