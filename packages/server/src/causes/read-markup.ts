/** Reads the sentences of an HTML page or an XML document that can be the cause of a failure, the best first. */

export const isMarkup = (text: string): boolean =>
  /^(?:\uFEFF)?\s*<(?:!doctype|\?xml|html|head|body|[\w:]+[^<>]*>)/i.test(text) && /<\/|\/>/.test(text);

/** Where servers and frameworks write what happened. */
const places = [
  // XML: S3, SOAP
  /<(?:\w+:)?(?:message|faultstring|detail|errormessage|reason)\b[^>]*>([^<]{2,2000})</gi,
  // Tomcat
  /<b>\s*message:?\s*<\/b>\s*(?:<u>)?([^<]{2,2000})</gi,
  // Django
  /class="exception_value"[^>]*>([^<]{2,2000})</gi,
  // Apache, nginx, and most others
  /<h1\b[^>]*>([\s\S]{2,500}?)<\/h1>/gi,
  /<title\b[^>]*>([^<]{2,500})</gi,
  /<h2\b[^>]*>([\s\S]{2,500}?)<\/h2>/gi,
  /<pre\b[^>]*>([\s\S]{2,2000}?)<\/pre>/gi,
  /<p\b[^>]*>([\s\S]{2,2000}?)<\/p>/gi,
];

export function candidatesInMarkup(text: string): string[] {
  const shown = text.replaceAll(/<(script|style)\b[\s\S]*?(?:<\/\1>|$)/gi, ' ');
  const found = places.flatMap((place) => [...shown.matchAll(place)].slice(0, 3).map(([, inside = '']) => inside));
  return [...found, shown.slice(0, 4000)].map(textOf).filter((one) => one !== '');
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
};

const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(x[0-9a-f]{1,5}|\d{1,6});/gi, (_whole, code: string) =>
      String.fromCodePoint(Number(code.toLowerCase().startsWith('x') ? `0${code}` : code)),
    )
    .replaceAll(/&(\w{2,8});/g, (whole, name: string) => entities[name.toLowerCase()] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim();
