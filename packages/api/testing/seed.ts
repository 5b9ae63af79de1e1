/** Fixed, so that a failed run can be repeated. The nightly run sets and prints a new seed each time. */
export const seed = Number(process.env['MILEPOST_TEST_SEED'] ?? 1);
