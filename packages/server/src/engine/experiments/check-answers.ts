/** Checks the answers of a user against the fields of the decision in the experiment's state. They become variables in the same move. */
import { maxAnswerLength, suggestion, type DecisionField, type Fault } from '@milepost/api';
import { invalid } from '../../errors.ts';
import type { StateModel } from './workflow-model.ts';

export type Answers = Readonly<Record<string, unknown>>;

/** Without those that are null, which means no answer, and those that answer no field. */
export function knownAnswers({ decision }: StateModel, given: Answers): Answers {
  const names = new Set(decision?.fields.map(({ variable }) => variable));
  return Object.fromEntries(Object.entries(given).filter(([name, answer]) => names.has(name) && answer !== null));
}

/** Required answers are only demanded if the experiment waits for the decision. Throws with all faults. */
export function checkAnswers(state: StateModel, given: Answers, { waits }: { waits: boolean }): Answers {
  const { label, decision } = state;
  const fields = new Map(decision?.fields.map((field) => [field.variable, field]));
  const answers = Object.entries(given).filter(([name, answer]) => answer !== null || !fields.has(name));
  const faults = answers.flatMap(([name, answer]) => faultOf(name, faultOfAnswer(fields, { name, answer, label })));
  const missing = [...fields.values()].filter(
    ({ required, variable }) => waits && required && (given[variable] ?? null) === null,
  );
  const all = [...faults, ...missing.flatMap(({ variable }) => faultOf(variable, `is required to leave ${label}.`))];
  if (all.length > 0) throw invalid(...all);
  return knownAnswers(state, given);
}

function faultOf(name: string, wrong: string | undefined): Fault[] {
  const pointer = `/variables/${name}`;
  return wrong === undefined ? [] : [{ pointer, detail: `${pointer} ${wrong}` }];
}

function faultOfAnswer(
  fields: ReadonlyMap<string, DecisionField>,
  { name, answer, label }: { name: string; answer: unknown; label: string },
): string | undefined {
  const field = fields.get(name);
  if (field) return checks[field.type](answer, field);
  const known = [...fields.keys()];
  const advice = known.length === 0 ? 'The state has no fields.' : suggestion(name, known);
  return `is not a field of the decision in ${label}. ${advice}`;
}

const checks: Record<DecisionField['type'], (answer: unknown, field: DecisionField) => string | undefined> = {
  choice: (answer, { choices }) =>
    choices.some((choice) => choice === answer) ? undefined : `must be one of ${choices.join(', ')}.`,
  number: (answer, { min, max }) => {
    if (typeof answer !== 'number') return 'must be a number.';
    if (min !== null && answer < min) return `must be at least ${min}.`;
    return max !== null && answer > max ? `must be at most ${max}.` : undefined;
  },
  yes_no: (answer) => (typeof answer === 'boolean' ? undefined : 'must be true or false.'),
  text: (answer, { required }) => {
    if (typeof answer !== 'string') return 'must be text.';
    if (required && answer.trim() === '') return 'must not be empty.';
    return answer.length > maxAnswerLength ? `must have at most ${maxAnswerLength} characters.` : undefined;
  },
};
