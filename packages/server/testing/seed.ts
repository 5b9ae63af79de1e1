/** Fixed, so that a run that failed can be repeated. The nightly run gives another each time, and prints it. */
export const seed = Number(process.env['MILEPOST_TEST_SEED'] ?? 1);
