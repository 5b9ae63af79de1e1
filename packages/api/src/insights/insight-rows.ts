/** The rows of Insights: how experiments flow through a workflow. */
import { Type } from 'typebox';
import * as v from '../values.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const seconds = (description: string) => v.nullable(Type.Number({ minimum: 0, description }));

const Week = { ...v.CalendarDate, description: 'The Monday on which the week begins, in UTC.' };

export const FlowRow = v.resource('FlowRow', 'The experiments of a state in a week.', {
  week: Week,
  state: v.Ref,
  arrived: count('The number of experiments that were created in the state.'),
  entered: count('The number of times that experiments entered the state, with those that arrived.'),
  final: Type.Boolean({ description: 'Whether no transition leaves the state, or if it is retired, left it.' }),
  finished: count(
    'If the state is final: how many experiments entered it that were not in a final state before. Otherwise 0.',
  ),
  left: count('The number of times that experiments left the state.'),
  experiments: Type.Integer({ description: 'The number of experiments in the state at the end of the week, or now.' }),
});

export const TrafficRow = v.resource('TrafficRow', 'How often experiments moved from a state to another.', {
  source: v.Ref,
  destination: v.Ref,
  moves: Type.Integer({ minimum: 1, description: 'The number of moves in the period, with corrections.' }),
});

export const StayRow = v.resource('StayRow', 'How long experiments stayed in a state.', {
  state: v.Ref,
  stays: count('The number of stays that ended in the period. See the reference of the time in state.'),
  p10_seconds: seconds('10 % of the stays are shorter. Null if there are none.'),
  p25_seconds: seconds('25 % of the stays are shorter.'),
  median_seconds: seconds('Half of the stays are shorter.'),
  p75_seconds: seconds('75 % of the stays are shorter.'),
  p90_seconds: seconds('90 % of the stays are shorter.'),
  total_seconds: Type.Number({ minimum: 0, description: 'The sum of these stays.' }),
  present_seconds: Type.Number({
    minimum: 0,
    description: 'How long the present experiments have been in the state, in sum. 0 if the state is final.',
  }),
  share: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'The part of the time of all states, with the stays that ended in the period and the present ones.',
  }),
  final: Type.Boolean({ description: 'Whether no transition leaves the state, or if it is retired, left it.' }),
  experiments: count('The number of experiments in the state now.'),
  oldest_entered_at: v.nullable({
    ...v.Time,
    description:
      'When the experiment that has been in the state for the longest time entered it. Null if the state is empty or final.',
  }),
  waits_for_decision: Type.Boolean({ description: 'Whether experiments in the state wait for a decision.' }),
});

export const FailureRow = v.resource('FailureRow', 'Failed runs of a callback with the same cause.', {
  callback: v.Ref,
  state: v.Ref,
  cause_group: v.nullable(Type.String({ description: 'The key of the cause. Null for runs without a cause.' })),
  cause: v.nullable(
    Type.String({ description: 'The cause of one of the runs with this key, perhaps before the period.' }),
  ),
  failures: count('The number of runs that failed or timed out in the period.'),
  retries: count('The number of attempts after the first one.'),
  open: Type.Integer({
    minimum: 0,
    maximum: 1000,
    description: 'The number of open incidents. 1,000 means 1,000 or more.',
  }),
  weeks: Type.Array(Type.Integer({ minimum: 0 }), { description: 'The failures of each week, oldest first.' }),
});

const Range = v.closed({
  p10: v.CalendarDate,
  p25: v.CalendarDate,
  median: v.CalendarDate,
  p75: v.CalendarDate,
  p90: v.CalendarDate,
});

export const ForecastRow = v.resource('ForecastRow', 'The progress of a cohort, and when it will be finished.', {
  cohort: v.Ref,
  experiments: count('The number of experiments of the cohort in this workflow.'),
  finished: count('The number of those in final states.'),
  forecast: v.nullable({
    ...Range,
    description:
      'When the present experiments will be in final states. The dates between `p10` and `p90` are the 80 % range.',
  }),
  no_forecast: v.nullable(Type.String({ description: 'Why there is no forecast. Null if there is one.' })),
  tests: count('The number of forecasts from past weeks that can be compared with what happened.'),
  tests_in_range: count('The number of those for which the 80 % range was right.'),
});

export const VariableRow = v.resource('VariableRow', 'A value of a variable that goes with long or short stays.', {
  state: v.Ref,
  variable: Type.String(),
  value: Type.String({ description: 'The value as JSON, or the text itself.' }),
  stays: count('The number of stays of experiments with this value.'),
  median_seconds: Type.Number({ minimum: 0 }),
  all_stays: count('The number of stays of experiments with any value of the variable.'),
  all_median_seconds: Type.Number({ minimum: 0 }),
});

export const DecisionTimeRow = v.resource('DecisionTimeRow', 'How long decisions took.', {
  state: v.Ref,
  user: v.nullable({
    ...v.UserName,
    description: 'Null for all users. Rows by user require the permission `audit_read`.',
  }),
  decisions: count('The number of decisions in the period, at most the latest 1,000 of the state.'),
  median_seconds: seconds('Half of the decisions took less time.'),
  p90_seconds: seconds('90 % of the decisions took less time.'),
});

const Counted = v.closed({
  at: v.nullable({ ...v.Time, description: 'Changes up to this time are counted. Null if counting has not begun.' }),
  rebuilding: Type.Boolean({ description: 'Whether older experiments are still being counted.' }),
});

export const Insights = v.resource('Insights', 'How experiments flow through a workflow.', {
  workflow: v.Ref,
  cohort_id: v.nullable(v.Id),
  from: Week,
  weeks: Type.Array(Week, { description: 'The weeks of the period. The last one is the current week.' }),
  counted: Counted,
  experiments: count('The number of experiments that the figures are about.'),
  flow: Type.Array(FlowRow, { description: 'By week and state, without rows of states without experiments.' }),
  traffic: Type.Array(TrafficRow, { description: 'Without pairs of states without moves.' }),
  stays: Type.Array(StayRow),
  failures: Type.Array(FailureRow),
  forecasts: Type.Array(ForecastRow, { description: 'Of whole cohorts, also if there is a query.' }),
  variables: Type.Array(VariableRow),
  decisions: Type.Array(DecisionTimeRow),
});

export const PastCounts = v.resource('PastCounts', 'The experiments in each state of a workflow at the end of a day.', {
  workflow: v.Ref,
  cohort_id: v.nullable(v.Id),
  at: { ...v.CalendarDate, description: 'The day, in UTC.' },
  states: Type.Array(v.closed({ state: v.Ref, experiments: count('The number of experiments in the state.') }), {
    description: 'In the order of the definition. Includes retired states only if they contained experiments.',
  }),
  experiments: count('The total of all states.'),
  counted: Counted,
});
