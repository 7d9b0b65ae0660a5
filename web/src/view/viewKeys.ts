// Keys in the 3D view: they look around, come nearer, and move a point that keys hold.
import type { Grab } from './grab';
import type { Stage } from './stage';

/** `size` of the structure [m]. */
export function listenToViewKeys(canvas: HTMLElement, stage: Stage, grab: Grab, size: () => number): void {
  canvas.addEventListener('keydown', (event) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!plain || !(pulls(event, grab, size()) || looks(event, stage))) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function pulls({ key, shiftKey, repeat }: KeyboardEvent, grab: Grab, size: number): boolean {
  if (!grab.byKeys || shiftKey) return false;
  // The pull's energy grows with the square of a step: one press is gentle, a key that is held goes far.
  const step = (repeat ? 0.015 : 0.004) * size;
  if (key === 'ArrowLeft') grab.nudge(-step, 0);
  else if (key === 'ArrowRight') grab.nudge(step, 0);
  else if (key === 'ArrowUp') grab.nudge(0, step);
  else if (key === 'ArrowDown') grab.nudge(0, -step);
  else if (key === 'Escape') grab.letGo();
  else return false;
  return true;
}

function looks({ key, shiftKey }: KeyboardEvent, stage: Stage): boolean {
  const turn = 0.12;
  if (key === '+' || key === '=') stage.orbit(0, 0, 0.88);
  else if (key === '-') stage.orbit(0, 0, 1 / 0.88);
  else if (!shiftKey) return false;
  else if (key === 'ArrowLeft') stage.orbit(-turn, 0, 1);
  else if (key === 'ArrowRight') stage.orbit(turn, 0, 1);
  else if (key === 'ArrowUp') stage.orbit(0, turn, 1);
  else if (key === 'ArrowDown') stage.orbit(0, -turn, 1);
  else return false;
  return true;
}
