/** Size limits of conditions, checked when they are read. The limits of evaluation are in values.ts. */
export const maxCharacters = 1_000;
/** Names, fields, literals, operators and calls, each counted as one. */
export const maxNodes = 200;
/** Nested parentheses, brackets and dots. */
export const maxLevels = 64;
/** The largest number of arguments of any function. */
export const maxArguments = 3;
export const maxFaults = 20;
