/**
 * Conditions whose truth is known by construction: each kind has a text and, beside it, what it means. Where it names a
 * callback or a state it takes one of those there are.
 */
import { isDeepStrictEqual } from 'node:util';
import fc, { type Arbitrary } from 'fast-check';
import type { Condition, Json, Sight, Values, Verdict } from '../model/workflow.ts';

/** What a condition may name where it stands. */
export interface Names {
  callbacks: readonly string[];
  states: readonly string[];
}

/** A condition in the making: it becomes one when the names are known. */
export type ConditionSeed = (names: Names) => Condition;

export const variableNames = ['v1', 'v2', 'v3'];
export const someValue: Arbitrary<Json> = fc.constantFrom<Json[]>(1, 2, 3, true, false, null, 'text');
const pick = fc.nat(99);

export const always: Condition = { text: '', reads: [], judge: () => true };

const fixed = (text: string, verdict: Verdict): Condition => ({ text, reads: [], judge: () => verdict });
const literal = (value: Json) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));
const variable = (name: string) => `experiment.variables['${name}']`;
const valueOf = ({ variables }: Sight, name: string): Json => variables[name] ?? null;

const onVariable = (name: string, text: string, judge: (value: Json) => Verdict): Condition => ({
  text: `${variable(name)}${text}`,
  reads: [],
  judge: (seen) => judge(valueOf(seen, name)),
});

const name = fc.constantFrom(...variableNames);
const equals = fc
  .tuple(name, someValue)
  .map(([of, value]) => onVariable(of, ` == ${literal(value)}`, (found) => isDeepStrictEqual(found, value)));
const differs = fc
  .tuple(name, someValue)
  .map(([of, value]) => onVariable(of, ` != ${literal(value)}`, (found) => !isDeepStrictEqual(found, value)));
/** Only numbers can be compared so. */
const exceeds = fc
  .tuple(name, fc.constantFrom(0, 1, 2))
  .map(([of, bound]) =>
    onVariable(of, ` > ${bound}`, (found) => (typeof found === 'number' ? found > bound : 'unfit')),
  );
/** Only true and false are truth values. */
const isTrue = name.map((of) => onVariable(of, '', (found) => (typeof found === 'boolean' ? found : 'unfit')));

const constants = fc.constantFrom(
  always,
  fixed('true', true),
  fixed('false', false),
  fixed('1 + 1 == 2', true),
  fixed("'a' == 'b'", false),
  fixed("experiment.variables['never'] < 1", 'unfit'),
);

const inState: Arbitrary<ConditionSeed> = pick.map((index) => ({ states }) => {
  const label = states[index % states.length] ?? '';
  return { text: `experiment.state == '${label}'`, reads: [], judge: ({ state }) => state === label };
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
      judge: (seen) => isDeepStrictEqual(read(seen.callbacks[label]), expected),
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

/** False or true on one side decides, even where the other is unfit. */
const joined = (sign: '&&' | '||', deciding: boolean) => (left: Condition, right: Condition) => ({
  text: `(${left.text || 'true'}) ${sign} (${right.text || 'true'})`,
  reads: [...left.reads, ...right.reads],
  judge: (seen: Sight): Verdict => {
    const verdicts = new Set([left.judge(seen), right.judge(seen)]);
    if (verdicts.has(deciding)) return deciding;
    return verdicts.has('unfit') ? 'unfit' : !deciding;
  },
});

const negated = (inner: Condition): Condition => ({
  text: `!(${inner.text || 'true'})`,
  reads: inner.reads,
  judge: (seen) => {
    const verdict = inner.judge(seen);
    return verdict === 'unfit' ? 'unfit' : !verdict;
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

/** In a callback's own condition callbacks cannot be named. */
export const callbackCondition: Arbitrary<ConditionSeed> = combined(onExperiment);
export const transitionCondition: Arbitrary<ConditionSeed> = fc.oneof(
  { arbitrary: fc.constant<ConditionSeed>(() => always), weight: 3 },
  { arbitrary: combined(fc.oneof(onCallbacks, onExperiment)), weight: 7 },
);
