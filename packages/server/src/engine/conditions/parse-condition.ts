/**
 * Reads the condition of a transition or a callback: in CEL, or in Python's spelling, which is translated first. Everything
 * that can be said of it without values is said here, all faults at once where one does not hide the next.
 */
import { checkCondition, type ConditionPlace } from './check-condition.ts';
import { foreignFaults } from './condition-foreign.ts';
import { mostCharacters, mostFaults } from './condition-limits.ts';
import type { Condition, ConditionFault } from './condition-syntax.ts';
import { tokensOf } from './condition-tokens.ts';
import { parseCel } from './condition-parser.ts';
import { isPython, translatePython } from './translate-python.ts';

export type { Condition, ConditionFault } from './condition-syntax.ts';
export type { ConditionPlace } from './check-condition.ts';

export interface ConditionReading {
  /** Undefined if there are faults. */
  condition: Condition | undefined;
  /** In the order of the text; at most 20. */
  faults: ConditionFault[];
}

export function readCondition(text: string, place: ConditionPlace): ConditionReading {
  if (text.trim() === '') return { condition: Object.freeze({ source: text, cel: '', ast: undefined }), faults: [] };
  if (isTooLong(text)) {
    return refused([
      { offset: 0, detail: `the condition has more than ${mostCharacters.toLocaleString('en')} characters.` },
    ]);
  }
  const { tokens, faults } = tokensOf(text);
  const early = [...foreignFaults(tokens), ...faults];
  if (early.length > 0) return refused(early);

  const python = isPython(tokens) ? translatePython(tokens) : undefined;
  if (python && python.faults.length > 0) return refused(python.faults);
  const { cel, offsetOf } = python ?? { cel: text.trim(), offsetOf: (offset: number) => offset + leadingBlanks(text) };

  const parsed = parseCel(cel, offsetOf);
  const late = [...parsed.faults, ...(parsed.ast ? checkCondition(parsed.ast, place) : [])];
  if (late.length > 0) return refused(late);
  return { condition: Object.freeze({ source: text, cel, ast: parsed.ast }), faults: [] };
}

const refused = (faults: readonly ConditionFault[]): ConditionReading => ({
  condition: undefined,
  faults: faults.toSorted((a, b) => a.offset - b.offset).slice(0, mostFaults),
});

const leadingBlanks = (text: string) => text.length - text.trimStart().length;

/** Characters are code points: at most two units each. */
const isTooLong = (text: string) =>
  text.length > mostCharacters * 2 || (text.length > mostCharacters && Array.from(text).length > mostCharacters);
