/** How many hostile texts are generated: a sample with a fixed seed in the gate, with a fresh one and many more at night. */
export const sampleSizes = { gate: 500, nightly: 10_000 };
