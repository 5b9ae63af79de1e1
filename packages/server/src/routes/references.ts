/** A reference is an id (only digits), a URI (contains a slash), or else a label (docs/decisions/0004). */
export type Reference = { id: number } | { label: string };

/** Returns undefined for a URI of another collection. */
export function readReference(text: string, collection: string): Reference | undefined {
  if (/^\d+$/.test(text)) return { id: Number(text) };
  if (!text.includes('/')) return { label: text.normalize('NFC') };
  const [, id] = new RegExp(`(?:^|/)${collection}/(\\d+)/?$`).exec(text) ?? [];
  return id === undefined ? undefined : { id: Number(id) };
}
