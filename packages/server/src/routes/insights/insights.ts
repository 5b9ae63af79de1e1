/** Insights: how experiments flow through a workflow (docs/decisions/0051). */
import { forecastNeeds, type Insights, type insightOperations } from '@milepost/api';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Static } from 'typebox';
import { inSnapshot } from '../../database/transaction.ts';
import { dayAfter } from '../../engine/insights/weeks.ts';
import {
  flowOf,
  staysOf,
  trafficOf,
  type FlowOfWeek,
  type StaysInState,
  type Traffic,
} from '../../engine/insights/flow.ts';
import { forecast, isTooShort, testForecasts } from '../../engine/insights/forecast.ts';
import { ok, type Handlers } from '../../http/call.ts';
import { present, type Fields } from '../../http/field-mask.ts';
import type { Links } from '../../links.ts';
import { readCountedUpTo } from '../../store/insights/progress.ts';
import { readCohortProgress, type CohortProgress } from '../../store/insights/read-cohorts.ts';
import { readFailures, type FailureCause } from '../../store/insights/read-failures.ts';
import { listInsightStates, readCounted, readOfExperiments } from '../../store/insights/read-figures.ts';
import { readDecisionTimes, readVariables } from '../../store/insights/read-recent-stays.ts';
import { readInsightRequest, type InsightCall, type InsightRequest } from './read-request.ts';

type Shown = Static<typeof Insights>;
/** A request with the links and rights of its caller. */
interface Reading extends InsightRequest {
  call: InsightCall;
}

async function readFlow({ call, workflow, scope, weeks, experimentIds }: Reading) {
  const { db } = call.database;
  const filter = { workflowId: workflow.id, from: weeks[0] ?? '' };
  const states = await listInsightStates(db, workflow.id);
  const figures = experimentIds
    ? await readOfExperiments(db, experimentIds, filter)
    : await readCounted(db, scope, filter);
  return { flow: flowOf(figures, states, weeks), traffic: trafficOf(figures, states), stays: staysOf(figures, states) };
}

async function readFailureRows({ call, workflow, scope, weeks, experimentIds }: Reading): Promise<Shown['failures']> {
  const filter = { workflowId: workflow.id, from: weeks[0] ?? '', experimentIds };
  const rows = await readFailures(call.database.db, scope, filter);
  return rows.map((row) => showFailure(call.links, row, weeks));
}

/** The longest history that a forecast uses. */
const historyWeeks = 52;

/** Whole cohorts, because a query does not say which experiments are still to come. */
async function readForecasts({ call, workflow, scope, weeks }: Reading): Promise<Shown['forecasts']> {
  const thisWeek = weeks.at(-1) ?? '';
  const period = { from: dayAfter(thisWeek, -historyWeeks), thisWeek, today: new Date().toISOString().slice(0, 10) };
  const cohorts = await readCohortProgress(call.database.db, scope, { workflowId: workflow.id, from: period.from });
  const rows: Shown['forecasts'] = [];
  for (const cohort of cohorts) {
    rows.push(showForecast(call.links, cohort, period));
    // Each takes some milliseconds, and other requests wait meanwhile.
    await yieldToOthers();
  }
  return rows;
}

async function readVariableRows(reading: Reading, stays: readonly StaysInState[]): Promise<Shown['variables']> {
  const { call, scope } = reading;
  const bottleneck = stays.toSorted((one, other) => other.share - one.share)[0];
  if (!bottleneck || bottleneck.share === 0) return [];
  const { state } = bottleneck;
  const rows = await readVariables(call.database.db, scope, { ...recent(reading), stateId: state.id });
  return rows.map(({ median, all_median, ...row }) => ({
    state: call.links.ref('states', state),
    ...row,
    median_seconds: median,
    all_median_seconds: all_median,
  }));
}

async function readDecisionRows(reading: Reading): Promise<Shown['decisions']> {
  const { call, workflow, scope } = reading;
  const byUser = call.account.permissions.has('audit_read');
  const rows = await readDecisionTimes(call.database.db, scope, {
    ...recent(reading),
    workflowId: workflow.id,
    byUser,
  });
  return rows.map(({ state_id, state_label, user_id, user_name, decisions, median, p90 }) => ({
    state: call.links.ref('states', { id: state_id, label: state_label }),
    user: user_id === null ? null : { id: user_id, name: user_name ?? '' },
    decisions,
    median_seconds: median,
    p90_seconds: p90,
  }));
}

const recent = ({ weeks, experimentIds }: Reading) => ({
  from: weeks[0] ?? '',
  to: new Date(Date.now() + 60_000).toISOString(),
  experimentIds,
});

const showFlow = (links: Links, { state, ...row }: FlowOfWeek): Shown['flow'][number] => ({
  ...row,
  state: links.ref('states', state),
  final: state.is_final,
});

const showTraffic = (links: Links, { source, destination, moves }: Traffic): Shown['traffic'][number] => ({
  source: links.ref('states', source),
  destination: links.ref('states', destination),
  moves,
});

const showStays = (links: Links, row: StaysInState): Shown['stays'][number] => {
  const [p10 = null, p25 = null, median = null, p75 = null, p90 = null] = row.quantiles;
  return {
    state: links.ref('states', row.state),
    stays: row.stays,
    p10_seconds: p10,
    p25_seconds: p25,
    median_seconds: median,
    p75_seconds: p75,
    p90_seconds: p90,
    total_seconds: row.totalSeconds,
    present_seconds: row.presentSeconds,
    share: row.share,
    final: row.state.is_final,
    experiments: row.experiments,
    oldest_entered_at: row.oldest,
    waits_for_decision: row.state.waits_for_decision,
  };
};

const showFailure = (links: Links, row: FailureCause, weeks: readonly string[]): Shown['failures'][number] => ({
  callback: links.ref('callbacks', { id: row.callback_id, label: row.callback_label }),
  state: links.ref('states', { id: row.state_id, label: row.state_label }),
  cause_group: row.cause_key === null ? null : `${row.callback_id}-${row.cause_key}`,
  cause: row.cause,
  failures: row.failures,
  retries: row.retries,
  open: row.open,
  weeks: weeks.map((week) => row.weeks[week] ?? 0),
});

interface Period {
  from: string;
  thisWeek: string;
  today: string;
}

function showForecast(links: Links, cohort: CohortProgress, period: Period): Shown['forecasts'][number] {
  const { id, label, experiments, finished } = cohort;
  const isDone = experiments === finished;
  const weeks = isDone ? [] : completeWeeks(cohort, period);
  const range = isDone ? undefined : forecast(weeks, experiments - finished);
  const { tests, inRange } = testForecasts(weeks);
  const day = (after: number) => dayAfter(period.today, after);
  return {
    cohort: links.ref('cohorts', { id, label }),
    experiments,
    finished,
    forecast: range
      ? {
          p10: day(range.p10),
          p25: day(range.p25),
          median: day(range.median),
          p75: day(range.p75),
          p90: day(range.p90),
        }
      : null,
    no_forecast: range ? null : whyNone(isDone, weeks),
    tests,
    tests_in_range: inRange,
  };
}

function whyNone(isDone: boolean, weeks: readonly number[]): string {
  if (isDone) return 'All experiments are in final states.';
  return isTooShort(weeks) ? forecastNeeds.text : 'At the present pace, the cohort is not finished within ten years.';
}

/** The finished experiments of each complete week since the cohort began. More can leave final states than enter them. */
function completeWeeks({ weeks, is_older }: CohortProgress, { from, thisWeek }: Period): number[] {
  const finished = new Map(weeks.map((one) => [one.week, one.finished]));
  const first = is_older ? from : (weeks[0]?.week ?? thisWeek);
  const all = Array.from({ length: historyWeeks }, (_, index) => dayAfter(from, index));
  return all.filter((week) => week >= first && week < thisWeek).map((week) => Math.max(0, finished.get(week) ?? 0));
}

const defaultLimit = 1000;

interface PageQuery {
  after?: number;
  offset?: number;
  limit?: number;
}

/** A page of rows that were all read, because they are few. */
function pageOf<K extends string, R>(
  key: K,
  rows: readonly R[],
  { offset = 0, after = offset, limit = defaultLimit }: PageQuery,
) {
  const shown = rows.slice(after, after + limit);
  const next = () => (after + shown.length < rows.length ? after + shown.length : undefined);
  return { ...ok({ [key]: shown } as Record<K, R[]>), next };
}

/** Reads everything in one snapshot, so that the figures of a response belong together. */
const inOneSnapshot = <T>(call: InsightCall, read: (reading: Reading) => Promise<T>): Promise<T> =>
  inSnapshot(call.database.db, async (db) => {
    const ofSnapshot = { ...call, database: { ...call.database, db } };
    return read({ ...(await readInsightRequest(ofSnapshot)), call: ofSnapshot });
  });

/** The page of a workflow only asks for the traffic, so the rest is read only if the mask includes it. */
async function readAll(reading: Reading, fields: Fields): Promise<Shown> {
  const { call, workflow, weeks } = reading;
  const { flow, traffic, stays } = await readFlow(reading);
  return present<Shown>(fields, {
    workflow: call.links.ref('workflows', workflow),
    cohort_id: call.query.cohort_id ?? null,
    from: weeks[0] ?? '',
    weeks,
    counted: () => readCountedUpTo(call.database.db),
    experiments: stays.reduce((sum, { experiments }) => sum + experiments, 0),
    flow: flow.map((row) => showFlow(call.links, row)),
    traffic: traffic.map((row) => showTraffic(call.links, row)),
    stays: stays.map((row) => showStays(call.links, row)),
    failures: () => readFailureRows(reading),
    forecasts: () => readForecasts(reading),
    variables: () => readVariableRows(reading, stays),
    decisions: () => readDecisionRows(reading),
  });
}

const readFlowRows = async (reading: Reading) =>
  (await readFlow(reading)).flow.map((row) => showFlow(reading.call.links, row));
const readStayRows = async (reading: Reading) =>
  (await readFlow(reading)).stays.map((row) => showStays(reading.call.links, row));

export const insightHandlers: Handlers<Omit<typeof insightOperations, 'getPastWorkflowCounts'>> = {
  getInsights: async (call) => ok(await inOneSnapshot(call, (reading) => readAll(reading, call.fields))),
  listInsightFlow: async (call) => pageOf('flow', await inOneSnapshot(call, readFlowRows), call.query),
  listInsightStays: async (call) => pageOf('stays', await inOneSnapshot(call, readStayRows), call.query),
  listInsightFailures: async (call) => pageOf('failures', await inOneSnapshot(call, readFailureRows), call.query),
  listInsightForecasts: async (call) => pageOf('forecasts', await inOneSnapshot(call, readForecasts), call.query),
  listInsightVariables: async (call) =>
    pageOf(
      'variables',
      await inOneSnapshot(call, async (reading) => readVariableRows(reading, (await readFlow(reading)).stays)),
      call.query,
    ),
  listInsightDecisions: async (call) => pageOf('decisions', await inOneSnapshot(call, readDecisionRows), call.query),
};
