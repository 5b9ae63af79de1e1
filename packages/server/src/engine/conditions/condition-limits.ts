/** How large a condition may be. Checked when it is read; what evaluating it may cost is bounded in condition-values.ts. */
export const mostCharacters = 1_000;
/** Names, fields, literals, operators and calls, each counted as one. */
export const mostNodes = 200;
/** Parentheses, brackets and dots inside each other. */
export const mostLevels = 64;
export const mostFaults = 20;
