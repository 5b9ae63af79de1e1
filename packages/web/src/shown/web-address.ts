/** Stored URLs can contain anything, such as a script. Only http and https URLs become links. */
export function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
