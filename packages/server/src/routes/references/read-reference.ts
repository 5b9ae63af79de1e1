import type { Links } from '../../links.ts';
import type { ReferenceKey } from '../../store/reference-candidates.ts';
import { readInteger } from '../../validation/read-integer.ts';

/**
 * What a reference can mean (docs/decisions/0004). A number is an id. Text is a label, and it can also be the URI or the id of
 * an object.
 */
export function readReference(value: number | string, collection: string, links: Links): ReferenceKey[] {
  if (typeof value === 'number') return [{ id: value }];
  const id = readUri(value, collection, links) ?? readInteger(value);
  const label = { label: value.normalize('NFC') };
  return id === undefined ? [label] : [{ id }, label];
}

/** Accepts every URI of an object that responses contain, and the path without the base path. */
function readUri(text: string, collection: string, links: Links): number | undefined {
  const uri = text.replace(/\/$/, '');
  const id = readInteger(uri.slice(uri.lastIndexOf('/') + 1));
  if (id === undefined) return undefined;
  const own = [links.uri, links.apiUri, links.webUri].map((uriOf) => uriOf(collection, id));
  return [...own, `/${collection}/${id}`].includes(uri) ? id : undefined;
}
