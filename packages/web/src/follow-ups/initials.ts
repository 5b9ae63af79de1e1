const letters = new Intl.Segmenter();
const first = (text: string) => [...letters.segment(text)][0]?.segment ?? '';

/** `Amina Haddad` → `AH`, `jansen` → `J`. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/u).filter((word) => word !== '');
  const last = words.length > 1 ? words.at(-1) : '';
  return (first(words[0] ?? '') + first(last ?? '')).toUpperCase();
}
