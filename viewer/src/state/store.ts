/** A value that changes, and those who want to know. Preact components read it with `useStore`. */
import { useLayoutEffect, useReducer } from "preact/hooks";

export class Store<S> {
  #state: S;
  #listeners = new Set<() => void>();

  constructor(initial: S) {
    this.#state = initial;
  }

  get(): S {
    return this.#state;
  }

  /** The function makes the next state out of the present one; returning the same object changes nothing. */
  update(change: (state: S) => S): void {
    const next = change(this.#state);
    if (next === this.#state) return;
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Part of a store; the component is drawn again only when that part becomes another value. */
export function useStore<S, T>(store: Store<S>, select: (state: S) => T, same: (a: T, b: T) => boolean = Object.is): T {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const selected = select(store.get());
  useLayoutEffect(() => {
    let shown = selected;
    const look = () => {
      const now = select(store.get());
      if (same(shown, now)) return;
      shown = now;
      draw(0);
    };
    look();
    return store.subscribe(look);
  });
  return selected;
}

/** Two lists with the same elements. */
export function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, i) => Object.is(item, b[i]));
}
