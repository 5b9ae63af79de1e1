/** Matches the parts of a definition with the current ones, to find which are added, changed, retired or revived. */

interface CurrentPart {
  id: number;
  position: number;
  retired: boolean;
}

export interface Matched<W, L> {
  added: W[];
  changed: [W, L][];
  retired: L[];
  revived: [W, L][];
  /** Unchanged parts. Their position can differ. */
  same: [W, L][];
}

interface Keys<W, L> {
  keyOfWanted: (wanted: W) => string;
  keyOfCurrent: (current: L) => string;
}

interface Matching<W, L> {
  /** Parts that exist before and after. */
  kept: [W, L][];
  classify: (isChanged: (wanted: W, current: L) => boolean) => Matched<W, L>;
}

export function matchParts<W, L extends CurrentPart>(
  wanted: readonly W[],
  current: readonly L[],
  { keyOfWanted, keyOfCurrent }: Keys<W, L>,
): Matching<W, L> {
  const known = new Map(current.map((part) => [keyOfCurrent(part), part]));
  const missing = new Map(known);
  const added: W[] = [];
  const kept: [W, L][] = [];
  const revived: [W, L][] = [];
  for (const part of wanted) {
    const key = keyOfWanted(part);
    const before = known.get(key);
    missing.delete(key);
    if (!before) added.push(part);
    else (before.retired ? revived : kept).push([part, before]);
  }
  const retired = [...missing.values()].filter((part) => !part.retired);
  return {
    kept,
    classify: (isChanged) => {
      const { changed = [], same = [] } = Object.groupBy(kept, (pair) => (isChanged(...pair) ? 'changed' : 'same'));
      return { added, changed, retired, revived, same };
    },
  };
}

/** The ids of kept parts whose order among each other has changed. `kept` is in the new order. */
export function reordered(kept: readonly (readonly [unknown, CurrentPart])[]): Set<number> {
  const after = kept.map(([, { id }]) => id);
  const before = kept
    .map(([, part]) => part)
    .toSorted((a, b) => a.position - b.position || a.id - b.id)
    .map(({ id }) => id);
  return new Set(after.filter((id, index) => id !== before[index]));
}

/**
 * Positions for the callbacks of a state. The position is part of a callback's version, so each callback keeps its position if
 * the order allows it. Removing the first of three does not create new versions of the other two.
 */
export function positionsFor(
  wanted: readonly { label: string }[],
  current: readonly (CurrentPart & { label: string })[],
): number[] {
  const known = new Map(current.map((part) => [part.label, part.position]));
  let last = -1;
  return wanted.map(({ label }) => {
    const kept = known.get(label);
    last = kept !== undefined && kept > last ? kept : last + 1;
    return last;
  });
}
