// Runs the checks of scenes and prints the points of each: node grade.mjs SCENE.json ...
import { checkAll, loadEngine } from '@tendril/engine';

const paths = process.argv.slice(2);
if (paths.length === 0) {
  console.error('Usage: node grade.mjs SCENE.json ...');
  process.exit(2);
}
const { scenes, failed } = await checkAll(await loadEngine(), paths, { limit: 60 });
for (const { scene, status, checks } of scenes) {
  const points = (list) => list.reduce((sum, check) => sum + check.points, 0);
  console.log(`${scene}: ${status}, ${points(checks.filter(({ passed }) => passed))} of ${points(checks)} points`);
}
process.exitCode = failed === 0 ? 0 : 1;
