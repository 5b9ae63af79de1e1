/**
 * Conditions whose value is known by construction: each kind has a text and a function with the same meaning. They refer only
 * to existing callbacks and states.
 */
import { isDeepStrictEqual } from 'node:util';
import fc, { type Arbitrary } from 'fast-check';
import type { Condition, Json, ConditionInput, Values, Verdict } from '../model/workflow.ts';

/** The callbacks and states that a condition can refer to. */
export interface Names {
  callbacks: readonly string[];
  states: readonly string[];
}

/** Creates a condition when the names are known. */
export type ConditionSeed = (names: Names) => Condition;

export const variableNames = ['v1', 'v2', 'v3'];
export const someValue: Arbitrary<Json> = fc.constantFrom<Json[]>(1, 2, 3, true, false, null, 'text');
const pick = fc.nat(99);

export const always: Condition = { text: '', reads: [], evaluate: () => true };

const fixed = (text: string, verdict: Verdict): Condition => ({ text, reads: [], evaluate: () => verdict });
const literal = (value: Json) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));
const variable = (name: string) => `experiment.variables['${name}']`;
const valueOf = ({ variables }: ConditionInput, name: string): Json => variables[name] ?? null;

const onVariable = (name: string, text: string, evaluate: (value: Json) => Verdict): Condition => ({
  text: `${variable(name)}${text}`,
  reads: [],
  evaluate: (seen) => evaluate(valueOf(seen, name)),
});

const name = fc.constantFrom(...variableNames);
const equals = fc
  .tuple(name, someValue)
  .map(([of, value]) => onVariable(of, ` == ${literal(value)}`, (found) => isDeepStrictEqual(found, value)));
const differs = fc
  .tuple(name, someValue)
  .map(([of, value]) => onVariable(of, ` != ${literal(value)}`, (found) => !isDeepStrictEqual(found, value)));
/** Only numbers can be compared. */
const exceeds = fc
  .tuple(name, fc.constantFrom(0, 1, 2))
  .map(([of, bound]) =>
    onVariable(of, ` > ${bound}`, (found) => (typeof found === 'number' ? found > bound : 'invalid')),
  );
/** Only true and false are valid results. */
const isTrue = name.map((of) => onVariable(of, '', (found) => (typeof found === 'boolean' ? found : 'invalid')));

const constants = fc.constantFrom(
  always,
  fixed('true', true),
  fixed('false', false),
  fixed('1 + 1 == 2', true),
  fixed("'a' == 'b'", false),
  fixed("experiment.variables['never'] < 1", 'invalid'),
);

const inState: Arbitrary<ConditionSeed> = pick.map((index) => ({ states }) => {
  const label = states[index % states.length] ?? '';
  return { text: `experiment.state == '${label}'`, reads: [], evaluate: ({ state }) => state === label };
});

type Outcome = { status: string; result: string; values: Values };

function onCallback(
  index: number,
  part: string,
  expected: Json,
  read: (outcome: Outcome | undefined) => Json,
): ConditionSeed {
  return ({ callbacks }) => {
    const label = callbacks[index % callbacks.length];
    if (label === undefined) return always;
    return {
      text: `callbacks['${label}'].${part} == ${literal(expected)}`,
      reads: [label],
      evaluate: (seen) => isDeepStrictEqual(read(seen.callbacks[label]), expected),
    };
  };
}

const ofResult = fc
  .tuple(pick, fc.constantFrom('success', 'success', 'failed', 'timeout', 'none'))
  .map(([index, result]) => onCallback(index, 'result', result, (outcome) => outcome?.result ?? null));
const ofStatus = fc
  .tuple(pick, fc.constantFrom('skipped', 'finished', 'running', 'queued'))
  .map(([index, status]) => onCallback(index, 'status', status, (outcome) => outcome?.status ?? null));
const ofValue = fc
  .tuple(pick, someValue)
  .map(([index, value]) => onCallback(index, 'result_values.x', value, (outcome) => outcome?.values['x'] ?? null));

const plain = (made: Arbitrary<Condition>): Arbitrary<ConditionSeed> => made.map((condition) => () => condition);

const onExperiment = fc.oneof(
  { arbitrary: plain(constants), weight: 3 },
  { arbitrary: plain(equals), weight: 4 },
  { arbitrary: plain(differs), weight: 2 },
  { arbitrary: plain(exceeds), weight: 1 },
  { arbitrary: plain(isTrue), weight: 1 },
  { arbitrary: inState, weight: 1 },
);
const onCallbacks = fc.oneof(
  { arbitrary: ofResult, weight: 5 },
  { arbitrary: ofStatus, weight: 1 },
  { arbitrary: ofValue, weight: 1 },
);

/** One side can decide, even if the other is invalid. */
const joined = (sign: '&&' | '||', deciding: boolean) => (left: Condition, right: Condition) => ({
  text: `(${left.text || 'true'}) ${sign} (${right.text || 'true'})`,
  reads: [...left.reads, ...right.reads],
  evaluate: (seen: ConditionInput): Verdict => {
    const verdicts = new Set([left.evaluate(seen), right.evaluate(seen)]);
    if (verdicts.has(deciding)) return deciding;
    return verdicts.has('invalid') ? 'invalid' : !deciding;
  },
});

const negated = (inner: Condition): Condition => ({
  text: `!(${inner.text || 'true'})`,
  reads: inner.reads,
  evaluate: (seen) => {
    const verdict = inner.evaluate(seen);
    return verdict === 'invalid' ? 'invalid' : !verdict;
  },
});

const both = (atom: Arbitrary<ConditionSeed>, join: (left: Condition, right: Condition) => Condition) =>
  fc.tuple(atom, atom).map(
    ([left, right]): ConditionSeed =>
      (names) =>
        join(left(names), right(names)),
  );

const combined = (atom: Arbitrary<ConditionSeed>): Arbitrary<ConditionSeed> =>
  fc.oneof(
    { arbitrary: atom, weight: 6 },
    { arbitrary: both(atom, joined('&&', false)), weight: 1 },
    { arbitrary: both(atom, joined('||', true)), weight: 1 },
    {
      arbitrary: atom.map(
        (inner): ConditionSeed =>
          (names) =>
            negated(inner(names)),
      ),
      weight: 1,
    },
  );

/** The condition of a callback cannot refer to callbacks. */
export const callbackCondition: Arbitrary<ConditionSeed> = combined(onExperiment);
export const transitionCondition: Arbitrary<ConditionSeed> = fc.oneof(
  { arbitrary: fc.constant<ConditionSeed>(() => always), weight: 3 },
  { arbitrary: combined(fc.oneof(onCallbacks, onExperiment)), weight: 7 },
);
