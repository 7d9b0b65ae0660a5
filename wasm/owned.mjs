// A facade's object that belongs to one of JavaScript's: calls reach it until it is disposed of, and none after one that
// ended half way.
import { unwrap } from './failures.mjs';

export class Owned {
  #handle;
  #parts;
  #what;
  #broken = false;

  /** `what`, for messages: "machine"; `open` makes a new handle ready. */
  constructor(handle, parts, what, open) {
    this.#handle = handle;
    this.#parts = parts;
    this.#what = what;
    try {
      this.call(open);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** What `work` returns of the handle, or the Error that it describes. */
  call(work) {
    if (!this.#handle) throw new Error(`this ${this.#what} was disposed of`);
    if (this.#broken)
      throw new Error(
        `a call of this ${this.#what} ended half way for want of the second part of the engine: take a new one`,
      );
    this.#parts.settle();
    try {
      return unwrap(work(this.#handle));
    } catch (error) {
      if (this.#parts.interrupted()) this.#broken = true;
      throw error;
    }
  }

  dispose() {
    this.#handle?.delete();
    this.#handle = undefined;
  }
}
