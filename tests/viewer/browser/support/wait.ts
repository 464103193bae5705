/** How long a test waits for a condition before it counts as a fault. Machines may be slow; conditions end the wait early. */
export const LIMIT_MS = 90_000;

/** Resolves with the first value that satisfies the condition. */
export async function waitUntil<T>(look: () => Promise<T> | T, is: (value: T) => boolean, what: string): Promise<T> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const value = await look();
    if (is(value)) return value;
    if (performance.now() > end) throw new Error(`waited too long for ${what}; last seen: ${JSON.stringify(value)}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
