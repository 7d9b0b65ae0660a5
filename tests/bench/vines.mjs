// Vines in the module: what a step costs in the published model with 30 to 1000 bodies, which must grow no faster than
// their number, and in a clutter of boxes. Usage: node tests/bench/vines.mjs
import { calibration, digits, engineOfModule, measure, sceneText, sceneWith } from './measure.mjs';

const engine = await engineOfModule();
const cases = [
  ...[30, 70, 200, 1000].map((bodies) => [
    `\`vine-runtime\`, ${bodies} bodies`,
    sceneWith(engine, 'vine-runtime', { count: { value: bodies, max: 1000 }, seconds: 40 }),
  ]),
  ['`vine-clutter`', sceneText('vine-clutter')],
];
const c = calibration();
console.log('| vines in WASM | steps | c/step | real time |\n| --- | --- | --- | --- |');
for (const [name, text] of cases) {
  const { steps, time, seconds } = measure(engine, text);
  console.log(`| ${name} | ${steps} | ${digits(seconds / steps / c)} | ${digits(time / seconds)} x |`);
}
