/** Matching the parts of a definition with the living ones: which are new, changed, gone or back. */

interface Living {
  id: number;
  position: number;
  retired: boolean;
}

export interface Matched<W, L> {
  added: W[];
  changed: [W, L][];
  retired: L[];
  revived: [W, L][];
  /** Those that live on and say what they said. Their place among the others may be another. */
  same: [W, L][];
}

interface Keys<W, L> {
  keyOfWanted: (wanted: W) => string;
  keyOfLiving: (living: L) => string;
}

interface Matching<W, L> {
  /** Those that live on. */
  kept: [W, L][];
  settle: (isChanged: (wanted: W, living: L) => boolean) => Matched<W, L>;
}

export function matchParts<W, L extends Living>(
  wanted: readonly W[],
  living: readonly L[],
  { keyOfWanted, keyOfLiving }: Keys<W, L>,
): Matching<W, L> {
  const known = new Map(living.map((part) => [keyOfLiving(part), part]));
  const gone = new Map(known);
  const added: W[] = [];
  const kept: [W, L][] = [];
  const revived: [W, L][] = [];
  for (const part of wanted) {
    const key = keyOfWanted(part);
    const before = known.get(key);
    gone.delete(key);
    if (!before) added.push(part);
    else (before.retired ? revived : kept).push([part, before]);
  }
  const retired = [...gone.values()].filter((part) => !part.retired);
  return {
    kept,
    settle: (isChanged) => {
      const { changed = [], same = [] } = Object.groupBy(kept, (pair) => (isChanged(...pair) ? 'changed' : 'same'));
      return { added, changed, retired, revived, same };
    },
  };
}

/** Of parts that live on, those that stand elsewhere among each other than before. `kept` is in the new order. */
export function reordered(kept: readonly (readonly [unknown, Living])[]): Set<number> {
  const after = kept.map(([, { id }]) => id);
  const before = kept
    .map(([, part]) => part)
    .toSorted((a, b) => a.position - b.position || a.id - b.id)
    .map(({ id }) => id);
  return new Set(after.filter((id, place) => id !== before[place]));
}

/**
 * Where the callbacks of a state stand. The place is part of a callback's version, so each keeps its own as long as the
 * order allows: retiring the first of three must not make new versions of the other two.
 */
export function placesFor(
  wanted: readonly { label: string }[],
  living: readonly (Living & { label: string })[],
): number[] {
  const known = new Map(living.map((part) => [part.label, part.position]));
  let last = -1;
  return wanted.map(({ label }) => {
    const kept = known.get(label);
    last = kept !== undefined && kept > last ? kept : last + 1;
    return last;
  });
}
