/**
 * Traps around the program itself: a function that every code can see, and a field that every value inherits. Whoever
 * gets from data to either is counted, and so is whoever leaves something behind.
 */
const prototypes = [Object, Array, String, Number, Boolean, Function].map((one) => one.prototype as object);

export interface Traps {
  /** How often something was reached. */
  reached: () => number;
  /** What was added to what all values share. */
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
