/**
 * For a change of the query of the URL. A navigation is rendered later if the browser is busy. Until then, a switch would show its old state,
 * and a second change would start from the old query and undo the first one.
 */
export const inPlace = { replace: true, preventScrollReset: true, flushSync: true } as const;
