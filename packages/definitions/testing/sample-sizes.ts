/** The number of generated hostile texts: few with a fixed seed in the gate, many with a new seed in the nightly run. */
export const sampleSizes = { gate: 500, nightly: 10_000 };
