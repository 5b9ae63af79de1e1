/** Pseudo-random numbers that depend only on the seed, so that a run can be repeated. */
export interface Random {
  /** From 0 to below 1. */
  next: () => number;
  /** From 0 to below `count`. */
  below: (count: number) => number;
  /** True with this probability. */
  chance: (share: number) => boolean;
}

/** Streams of one seed are independent: drawing more numbers from one does not change the others. */
export function createRandom(seed: number, stream = 0): Random {
  let state = mix(mix(seed) ^ mix(stream + 0x51ed270b));
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    return mix(state) / 2 ** 32;
  };
  return { next, below: (count) => Math.floor(next() * count), chance: (share) => next() < share };
}

/** Every bit of the number affects every bit of the result. */
function mix(number: number): number {
  let mixed = number >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
