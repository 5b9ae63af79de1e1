/**
 * The steps of a walk. A step has a kind, and numbers instead of choices. When the step runs, the numbers select experiments,
 * executions or states that exist then. So a walk is still valid if steps are removed from it.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { BulkRequest } from '../model/bulk.ts';
import type { Report } from '../model/report.ts';
import type { Json, Values, Workflow } from '../model/workflow.ts';
import type { Result } from '../model/world.ts';
import { someValue, transitionCondition, variableNames, type ConditionSeed } from './conditions.ts';
import {
  someCallback,
  someState,
  someTransition,
  someWorkflow,
  type CallbackSeed,
  type StateSeed,
  type TransitionSeed,
} from './workflows.ts';

export type Change =
  | { is: 'nothing' }
  | { is: 'state added'; from: number; state: StateSeed }
  | { is: 'state retired'; state: number; to: number; mapped: boolean }
  | { is: 'state of an experiment retired'; state: number; to: number; mapped: boolean }
  | { is: 'callback added'; state: number; callback: CallbackSeed }
  | { is: 'callback changed'; state: number; index: number; callback: CallbackSeed }
  | { is: 'callback retired'; state: number; index: number }
  | { is: 'transition added'; state: number; transition: TransitionSeed }
  | { is: 'transition retired'; state: number; index: number }
  | { is: 'condition changed'; state: number; index: number; condition: ConditionSeed };

/**
 * The executions to choose from. `superseded`: open executions of a superseded action. `kept`: open executions with a result.
 * `retried`: with more than one attempt.
 */
export type Among =
  | 'open'
  | 'superseded'
  | 'able to wait'
  | 'kept'
  | 'ended'
  | 'retried'
  | 'held'
  | 'started'
  | 'limited'
  | 'delayed'
  | 'due'
  | 'unclaimed'
  | 'any';
export type By = 'person' | 'latest' | 'earlier' | 'stranger';

export interface LineSeed {
  isNew: boolean;
  which: number;
  /** Null: the cell is empty. */
  state: number | null;
  variables: Values;
}

type OnWorld =
  | { do: 'nothing' | 'claim' | 'create' | 'report again' | 'outage' }
  | { do: 'upgrade'; change: Change; before: Report[]; after: 'nothing' | 'evaluate' | 'retry' }
  | { do: 'change callback'; state: number; index: number; callback: CallbackSeed }
  | { do: 'retry execution'; which: number; of: 'latest' | 'carried' | 'any' }
  | { do: 'bulk'; kind: BulkRequest['kind']; to: number; run: boolean }
  | { do: 'import'; lines: LineSeed[] };

type OnExperiment =
  | {
      do: 'move';
      who: number;
      where: 'transition' | 'any' | 'unknown';
      to: number;
      expected: 'none' | 'right' | 'wrong';
    }
  | { do: 'place'; who: number; to: number; run: boolean }
  | { do: 'variable'; who: number; name: string; value: Json }
  | { do: 'retry experiment'; who: number }
  | { do: 'evaluate'; who: number }
  | { do: 'keep and move'; who: number; to: number; report: Report }
  | { do: 'finish all'; who: number; by: By; reports: Report[] }
  | { do: 'finish and retry twice'; who: number; by: By; reports: Report[] };

type OnExecution = { which: number; among: Among } & (
  | { do: 'report'; by: By; report: Report }
  | { do: 'renew'; by: By }
  | { do: 'time out' }
  | { do: 'pass delay' }
  | { do: 'neglect' }
  | { do: 'lose job' }
  | { do: 'lose'; after: 'nothing' | 'another' | 'all' | 'leave' }
);

export type Step = OnWorld | OnExperiment | OnExecution;

export interface Walk {
  steps: Step[];
  workflow: Workflow;
}

const pick = fc.nat(999);
const many = <const T>(value: T, times: number): T[] => Array.from({ length: times }, () => value);
const one = <const T>(...values: T[]) => fc.constantFrom(...values);

const values = fc.record(
  { x: someValue, y: fc.array(someValue, { maxLength: 1 }) },
  { requiredKeys: [], noNullPrototype: true },
);
const words = one('', 'some words', 'other words');
const endingBy = (...results: Result[]): Arbitrary<Report> =>
  fc.record(
    { status: fc.constant('finished' as const), result: one(...results), result_values: values },
    { requiredKeys: ['status', 'result'], noNullPrototype: true },
  );
const ending = endingBy('success', 'success', 'success', 'failed');
const oftenFailed = endingBy('success', 'failed');
const anything: Arbitrary<Report> = fc.record(
  {
    status: one('created', 'queued', 'running', 'waiting', 'waiting', 'finished', 'skipped'),
    result: one('none', 'success', 'failed', 'timeout'),
    result_values: values,
    result_log: words,
  },
  { requiredKeys: [], noNullPrototype: true },
);
/** A result before the status `finished`. */
const early: Arbitrary<Report> = fc.record({ result: one('none', 'success', 'success', 'failed', 'timeout') });
/** A late report that adds to the log, or values if there are none. */
const addition: Arbitrary<Report> = fc.record(
  { result_values: values, result_log: words },
  { requiredKeys: [], noNullPrototype: true },
);
const tooLarge: Arbitrary<Report> = fc.record({
  status: fc.constant('finished' as const),
  result: one('success', 'failed'),
  result_values: fc.constant({ x: 'x'.repeat(2000) }),
});
const someReport = fc.oneof(
  { arbitrary: ending, weight: 6 },
  { arbitrary: anything, weight: 3 },
  { arbitrary: addition, weight: 1 },
);

const reportOn = (among: Arbitrary<Among>, by: Arbitrary<By>, report: Arbitrary<Report>): Arbitrary<Step> =>
  fc.record({ do: one('report'), which: pick, among, by, report });
const anyReporter = one(...many('person', 6), ...many('latest', 8), ...many('earlier', 3), 'stranger');

const onState = { state: pick, index: pick };
const retirement = { state: pick, to: pick, mapped: one(true, true, true, false) };
const someChange: Arbitrary<Change> = fc.oneof(
  fc.record({ is: one('nothing') }),
  fc.record({ is: one('state added'), from: pick, state: someState }),
  fc.record({ is: one('state retired'), ...retirement }),
  fc.record({ is: one('state of an experiment retired'), ...retirement }),
  fc.record({ is: one('callback added'), state: pick, callback: someCallback }),
  fc.record({ is: one('callback changed'), ...onState, callback: someCallback }),
  { arbitrary: fc.record({ is: one('callback retired'), ...onState }), weight: 3 },
  fc.record({ is: one('transition added'), state: pick, transition: someTransition }),
  fc.record({ is: one('transition retired'), ...onState }),
  fc.record({ is: one('condition changed'), ...onState, condition: transitionCondition }),
);

const someLine: Arbitrary<LineSeed> = fc.record({
  isNew: fc.boolean(),
  which: pick,
  state: fc.option(pick),
  // An empty cell gives no value.
  variables: fc.dictionary(
    one(...variableNames),
    someValue.filter((value) => value !== null),
    { maxKeys: 2, noNullPrototype: true },
  ),
});

const weighted = (weight: number, arbitrary: Arbitrary<Step>) => ({ weight, arbitrary });

const someStep: Arbitrary<Step> = fc.oneof(
  // Steps that a failing walk does not need shrink to `nothing`.
  { withCrossShrink: true },
  weighted(1, fc.record({ do: one('nothing') })),
  weighted(
    8,
    fc.record({
      do: one('move'),
      who: pick,
      where: one('transition', 'transition', 'transition', 'any', 'unknown'),
      to: pick,
      expected: one('none', 'none', 'none', 'right', 'right', 'wrong'),
    }),
  ),
  weighted(5, fc.record({ do: one('place'), who: pick, to: pick, run: one(true, true, false) })),
  weighted(20, reportOn(one(...many('open', 4), 'any'), anyReporter, someReport)),
  weighted(5, reportOn(one('superseded'), one('person', 'latest'), someReport)),
  weighted(4, reportOn(one('able to wait'), one('person', 'latest'), fc.constant({ status: 'waiting' }))),
  weighted(6, reportOn(one('open', 'open', 'held', 'limited'), one('person', 'latest'), early)),
  weighted(4, fc.record({ do: one('keep and move'), who: pick, to: pick, report: early })),
  weighted(5, reportOn(one('kept'), one('person', 'latest'), fc.constant({ status: 'finished' }))),
  weighted(4, reportOn(one('ended'), one('latest', 'latest', 'person'), addition)),
  weighted(2, reportOn(one('open', 'held', 'ended'), one('person', 'latest'), tooLarge)),
  weighted(3, reportOn(one('retried'), one('earlier'), someReport)),
  weighted(
    12,
    fc.record({
      do: one(...many('finish all', 3), 'finish and retry twice'),
      who: pick,
      by: one('person', 'latest'),
      reports: fc.array(ending, { minLength: 3, maxLength: 3 }),
    }),
  ),
  weighted(3, fc.record({ do: one('report again') })),
  weighted(18, fc.record({ do: one('claim') })),
  weighted(2, fc.record({ do: one('create') })),
  weighted(3, fc.record({ do: one('outage') })),
  weighted(4, fc.record({ do: one('renew'), which: pick, among: one('retried'), by: one('earlier') })),
  weighted(
    2,
    fc.record({ do: one('renew'), which: pick, among: one('started'), by: one('person', 'latest', 'earlier') }),
  ),
  weighted(
    9,
    fc.record({
      do: one('lose'),
      which: pick,
      among: one('held'),
      after: one('nothing', 'nothing', 'another', 'another', 'another', 'all', 'leave'),
    }),
  ),
  weighted(6, fc.record({ do: one('time out'), which: pick, among: one('limited') })),
  weighted(1, fc.record({ do: one('neglect'), which: pick, among: one('unclaimed') })),
  weighted(1, fc.record({ do: one('lose job'), which: pick, among: one('due') })),
  weighted(3, fc.record({ do: one('pass delay'), which: pick, among: one('delayed') })),
  weighted(
    5,
    fc.record({ do: one('retry execution'), which: pick, of: one('latest', 'latest', 'carried', 'carried', 'any') }),
  ),
  weighted(
    5,
    fc.record({
      do: one('bulk'),
      kind: one('move', 'move', 'place', 'retry', 'evaluate'),
      to: pick,
      run: fc.boolean(),
    }),
  ),
  weighted(4, fc.record({ do: one('import'), lines: fc.array(someLine, { minLength: 1, maxLength: 4 }) })),
  weighted(3, fc.record({ do: one('retry experiment'), who: pick })),
  weighted(4, fc.record({ do: one('evaluate'), who: pick })),
  weighted(4, fc.record({ do: one('variable'), who: pick, name: one(...variableNames), value: someValue })),
  weighted(
    5,
    fc.record({
      do: one('upgrade'),
      change: someChange,
      before: fc.array(oftenFailed, { maxLength: 2 }),
      after: one('nothing', 'evaluate', 'retry'),
    }),
  ),
  weighted(1, fc.record({ do: one('change callback'), ...onState, callback: someCallback })),
);

/**
 * Without bias, because fast-check would prefer small numbers, and so short walks among few states. Steps come first, because a
 * failing walk is shrunk in this order.
 */
export const someWalk: Arbitrary<Walk> = fc.noBias(
  fc.record({
    steps: fc.array(someStep, { minLength: 1, maxLength: 26, size: 'max' }),
    workflow: someWorkflow,
  }),
);
