/** Reads `callback: [...]` as `callbacks`, so that the callbacks in the list are checked, too. */
import { isMap, isScalar, isSeq, type Document, type Pair } from 'yaml';
import type { Mistake } from '../yaml/parse-corrected.ts';

export function renameCallbackLists({ contents }: Document): Mistake[] {
  const states = isMap(contents) ? contents.get('states') : undefined;
  if (!isSeq(states)) return [];
  return states.items.flatMap((state) =>
    isMap(state) && !state.has('callbacks') ? state.items.flatMap((pair) => renamed(pair)) : [],
  );
}

function renamed({ key, value }: Pair): Mistake[] {
  if (!isScalar(key) || key.value !== 'callback' || !isSeq(value)) return [];
  key.value = 'callbacks';
  const detail = 'callback is the field of the older layout, for one callback. Did you mean "callbacks"?';
  return [{ code: 'unknown_field', detail, offset: key.range?.[0] ?? 0 }];
}
