/**
 * Reads the condition of a transition or callback, in CEL or in Python syntax, which is translated to CEL. Reports as many faults
 * at once as can be found without values.
 */
import { checkCondition, type ConditionPlace } from './check-condition.ts';
import { unsupportedFaults } from './unsupported.ts';
import { maxCharacters, maxFaults } from './limits.ts';
import type { Condition, ConditionFault } from './syntax.ts';
import { tokensOf } from './tokens.ts';
import { parseCel } from './parse-cel.ts';
import { isPython, tooLongInCel, translatePython } from './translate-python.ts';
import { countCharacters } from '@milepost/api';

export type { Condition, ConditionFault } from './syntax.ts';
export type { ConditionPlace } from './check-condition.ts';

export interface ConditionReading {
  /** Undefined if there are faults. */
  condition: Condition | undefined;
  /** In text order, at most 20. */
  faults: ConditionFault[];
}

export function readCondition(text: string, place: ConditionPlace): ConditionReading {
  if (text.trim() === '') return { condition: Object.freeze({ source: text, cel: '', ast: undefined }), faults: [] };
  const length = countCharacters(text);
  if (length > maxCharacters) return rejected([{ offset: 0, detail: tooLong(length) }]);
  const { tokens, faults } = tokensOf(text);
  const early = [...unsupportedFaults(tokens), ...faults];
  if (early.length > 0) return rejected(early);

  const python = isPython(tokens) ? translatePython(tokens) : undefined;
  if (python && python.faults.length > 0) return rejected(python.faults);
  const { cel, offsetOf } = python ?? { cel: text.trim(), offsetOf: (offset: number) => offset + leadingBlanks(text) };
  if (countCharacters(cel) > maxCharacters) return rejected([{ offset: 0, detail: tooLongInCel }]);

  const parsed = parseCel(cel, offsetOf);
  const late = [...parsed.faults, ...(parsed.ast ? checkCondition(parsed.ast, place) : [])];
  if (late.length > 0) return rejected(late);
  return { condition: Object.freeze({ source: text, cel, ast: parsed.ast }), faults: [] };
}

const rejected = (faults: readonly ConditionFault[]): ConditionReading => ({
  condition: undefined,
  faults: onlyOnce(faults)
    .toSorted((a, b) => a.offset - b.offset)
    .slice(0, maxFaults),
});

/** The translation of get() repeats a part, and with it the faults of that part. */
const onlyOnce = (faults: readonly ConditionFault[]) => [
  ...new Map(faults.map((fault) => [`${fault.offset} ${fault.detail}`, fault])).values(),
];

const leadingBlanks = (text: string) => text.length - text.trimStart().length;

const tooLong = (length: number) =>
  `the condition has ${length.toLocaleString('en')} characters, but at most ${maxCharacters.toLocaleString('en')} are allowed.`;
