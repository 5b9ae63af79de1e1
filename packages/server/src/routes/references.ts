/** A reference is an id (all digits), a uri (a text with a slash), or else a label (docs/decisions/0004). */
export type Reference = { id: number } | { label: string };

/** `collection` is the one that a uri must be of: `subjects`. Undefined: a uri of something else, which names nothing. */
export function readReference(text: string, collection: string): Reference | undefined {
  if (/^\d+$/.test(text)) return { id: Number(text) };
  if (!text.includes('/')) return { label: text.normalize('NFC') };
  const [, id] = new RegExp(`(?:^|/)${collection}/(\\d+)/?$`).exec(text) ?? [];
  return id === undefined ? undefined : { id: Number(id) };
}
