/** A set with one more in it, or with one less where it was there. */
export const toggled = <T>(chosen: ReadonlySet<T>, one: T): ReadonlySet<T> =>
  new Set(chosen.has(one) ? [...chosen].filter((other) => other !== one) : [...chosen, one]);
