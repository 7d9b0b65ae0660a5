// Whether the control that has the focus was chosen with keys or with the pointer: keys go on belonging to a control that
// a person went to with Tab, not to one that was only clicked.

export class FocusSource {
  private pointer = false;
  private clicked: EventTarget | null = null;

  constructor() {
    document.addEventListener('pointerdown', () => this.by(true), { capture: true });
    document.addEventListener('keydown', () => this.by(false), { capture: true });
    document.addEventListener('focusin', (event) => {
      this.clicked = this.pointer ? event.target : null;
    });
  }

  /** The last thing that happened came from the pointer. */
  get byPointer(): boolean {
    return this.pointer;
  }

  wasClicked(element: Element): boolean {
    return element === this.clicked;
  }

  private by(pointer: boolean): void {
    this.pointer = pointer;
  }
}
