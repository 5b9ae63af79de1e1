/** Prints terms as the text of a query, which reads as the same terms. */
import type { Term, Value } from './terms.ts';

export const quoteText = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** Quotes a value where it would mean something else without quotes. */
export const printValue = ({ text, quoted }: Pick<Value, 'text' | 'quoted'>): string =>
  quoted || text === '' || /[\s,"]/.test(text) ? quoteText(text) : text;

const printWord = (text: string) => (/[\s":<>]/.test(text) || text.startsWith('-') ? quoteText(text) : text);

/** The part after the dot of `var.NAME`. */
export const printKey = (key: string): string => (/[\s":<>=,]/.test(key) ? quoteText(key) : key);

export const printTerm = (term: Omit<Term, 'position' | 'length'>): string => {
  const { negated, ...part } = term as Term;
  const text =
    part.kind === 'word'
      ? printWord(part.text)
      : `${part.name}${part.key === '' ? '' : `.${printKey(part.key)}`}${part.operator}${part.values.map(printValue).join(',')}`;
  return negated ? `-${text}` : text;
};

export const printQuery = (terms: readonly Omit<Term, 'position' | 'length'>[]): string =>
  terms.map(printTerm).join(' ');
