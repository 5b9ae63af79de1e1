/** SQL expressions for values that constraints reject: too long, too early, too late. */
export const long = (characters: number) => `repeat('x', ${characters})`;
export const before = `clock_timestamp() - interval '1 day'`;
export const after = `clock_timestamp() + interval '1 day'`;
