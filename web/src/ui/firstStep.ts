// Nothing is fetched ahead of need before the first step that a visitor sees: until then the line belongs to what that takes.
export class FirstStep {
  private pending = true;

  /** `after`: what waits for it. */
  constructor(private readonly after: () => void) {}

  /** Called for every moment that goes to the screen: it is there when the next frame begins. */
  drawn(): void {
    if (!this.pending) return;
    this.pending = false;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        performance.mark('first-step');
        this.after();
      }),
    );
  }
}
