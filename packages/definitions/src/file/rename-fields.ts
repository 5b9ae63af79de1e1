/**
 * Reads a misspelt field as the one that the author meant, so that its content is checked and the rest of its state is understood. The
 * misspelt field is an error.
 */
import { shortened } from '@milepost/api';
import { isMap, isScalar, isSeq, type Document, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { Mistake } from '../yaml/parse-corrected.ts';
import type { Part } from './definition.ts';
import { meantField } from './meant-fields.ts';

/** Hostile text can have a misspelt field in every line. */
const maxRenamed = 200;

export function renameFields({ contents }: Document): Mistake[] {
  const mistakes: Mistake[] = [];
  const renameIn = (map: unknown, part: Part, pointer: string) => {
    if (!isMap(map)) return;
    for (const pair of map.items)
      if (mistakes.length < maxRenamed) mistakes.push(...renamed(pair, map, { part, pointer }));
  };
  renameIn(contents, 'file', '');
  eachOf(contents, 'states', (state, index) => {
    const pointer = `/states/${index}`;
    renameIn(state, 'state', pointer);
    for (const [name, part] of [
      ['callbacks', 'callback'],
      ['transitions', 'transition'],
    ] as const)
      eachOf(state, name, (item, at) => renameIn(item, part, `${pointer}/${name}/${at}`));
  });
  eachOf(contents, 'transitions', (item, index) => renameIn(item, 'olderTransition', `/transitions/${index}`));
  return mistakes;
}

/** The items of a list. */
function eachOf(map: unknown, name: string, rename: (item: unknown, index: number) => void): void {
  const list = isMap(map) ? map.get(name) : undefined;
  if (isSeq(list)) list.items.forEach((item, index) => rename(item, index));
}

function renamed({ key, value }: Pair, map: YAMLMap, { part, pointer }: { part: Part; pointer: string }): Mistake[] {
  if (!isScalar(key) || typeof key.value !== 'string') return [];
  const name = key.value;
  const code = 'unknown_field';
  if (part === 'state' && name === 'callback' && isSeq(value) && !map.has('callbacks')) {
    key.value = 'callbacks';
    const detail = 'callback is the field of the older layout, for one callback. Did you mean "callbacks"?';
    return [{ code, detail, offset: startOf(key) }];
  }
  const nearest = meantField(name, part);
  const meant = nearest === 'callback' && isSeq(value) ? 'callbacks' : nearest;
  if (meant === undefined || map.has(meant)) return [];
  key.value = meant;
  const detail = `${pointer}/${shortened(name)} is not a known field. Did you mean "${meant}"?`;
  return [{ code, detail, offset: startOf(key) }];
}

const startOf = ({ range }: { range?: Scalar['range'] }) => range?.[0] ?? 0;
