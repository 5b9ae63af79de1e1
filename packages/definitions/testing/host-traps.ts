/**
 * Traps in the host program: a global function, and a property that every value inherits. They count each access, and report
 * properties that were added to shared prototypes.
 */
const prototypes = [Object, Array, String, Number, Boolean, Function].map((one) => one.prototype as object);

export interface Traps {
  /** The number of accesses so far. */
  reached: () => number;
  /** The names of properties that were added to shared prototypes. */
  changed: () => string[];
  remove: () => void;
}

const sharedNames = () => prototypes.flatMap((one) => Reflect.ownKeys(one).map(String));

export function setTraps(name = 'planted'): Traps {
  let count = 0;
  const reach = () => ++count;
  Object.defineProperty(globalThis, name, { value: reach, configurable: true });
  for (const prototype of prototypes) Object.defineProperty(prototype, name, { get: reach, configurable: true });
  const before = new Set(sharedNames());
  return {
    reached: () => count,
    changed: () => sharedNames().filter((one) => !before.has(one)),
    remove: () => {
      for (const one of [globalThis, ...prototypes]) Reflect.deleteProperty(one, name);
    },
  };
}
