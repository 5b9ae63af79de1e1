/** Compares a response of `GET /insights` with slow queries: counts exactly, quantiles of counted stays within 2 %. */
import type { Insights } from '@milepost/api';
import type { Static } from 'typebox';
import { expect } from 'vitest';
import { slowFigures, type SlowStay, type Sql, type Wanted } from './slow-figures.ts';
import { slowRecent } from './slow-stays.ts';

type Shown = Static<typeof Insights>;

/** The present seconds grow while the test runs, and both sides round sums. */
const ofSums = 0.001;

function expectWithin(value: number | null, expected: number | null, within: number): void {
  if (expected === null || expected === 0 || value === null) expect(value).toBe(expected);
  else expect(Math.abs(value / expected - 1)).toBeLessThanOrEqual(within);
}

const quantiles = ['p10_seconds', 'p25_seconds', 'median_seconds', 'p75_seconds', 'p90_seconds'] as const;

const timeOf = (row: SlowStay) => row.total_seconds + row.present_seconds;

function expectStays(shown: Shown['stays'], slow: readonly SlowStay[], within: number): void {
  const exact = shown.map(({ state, oldest_entered_at: oldest, ...row }) => [
    state.label, row.final, row.stays, row.experiments, oldest, row.waits_for_decision,
  ]); // prettier-ignore
  expect(exact).toEqual(
    slow.map(({ state, oldest_entered_at: oldest, ...row }) => [
      state, row.final, row.stays, row.experiments, oldest?.toISOString() ?? null, row.waits_for_decision,
    ]), // prettier-ignore
  );
  const all = slow.reduce((sum, row) => sum + timeOf(row), 0);
  for (const [index, row] of slow.entries()) {
    const own = shown[index];
    for (const name of quantiles) expectWithin(own?.[name] ?? null, row[name], within);
    expectWithin(own?.total_seconds ?? 0, row.total_seconds, ofSums);
    expectWithin(own?.present_seconds ?? 0, row.present_seconds, ofSums);
    expect(own?.share).toBeCloseTo(timeOf(row) / all, 3);
  }
}

/** References as their labels, without some columns. */
const plain = (rows: readonly object[], ...without: string[]): object[] =>
  rows.map((row) => {
    const columns = Object.entries(row).filter(([key]) => !without.includes(key));
    const labelled = columns.map(([key, value]) => [
      key,
      value instanceof Object && 'label' in value ? value.label : value,
    ]);
    return Object.fromEntries(labelled);
  });

function expectFailures(shown: Shown['failures'], slow: readonly { causes: string[] }[]): void {
  const named = plain(shown, 'cause');
  expect(named).toEqual(plain(slow, 'causes'));
  // That of any run with this key, also before the period.
  for (const [index, { cause, cause_group: group }] of shown.entries())
    expect(group === null ? [null] : slow[index]?.causes).toContain(cause);
}

function expectForecasts(shown: Shown['forecasts'], slow: readonly { isShort: boolean }[]): void {
  const named = plain(shown, 'no_forecast');
  expect(named).toEqual(plain(slow, 'isShort'));
  for (const [index, { no_forecast: reason }] of shown.entries())
    expect(reason?.includes('at least') ?? false).toBe(slow[index]?.isShort);
}

/** Rows of users with as many decisions are in any order. */
const byUser = (a: { user: string | null }, b: { user: string | null }) => (a.user ?? '').localeCompare(b.user ?? '');

const rounded = (seconds: number | null) => Math.round(1000 * (seconds ?? 0)) / 1000;

const variableRows = (rows: readonly { median_seconds: number; all_median_seconds: number }[]): object[] =>
  plain(
    rows.map((row) => ({
      ...row,
      median_seconds: rounded(row.median_seconds),
      all_median_seconds: rounded(row.all_median_seconds),
    })),
    'state',
  );

async function expectRecent(sql: Sql, shown: Shown, wanted: Wanted): Promise<void> {
  const deciding = shown.stays.flatMap((row) => (row.waits_for_decision ? [row.state.label] : []));
  const bottleneck = shown.stays.toSorted((a, b) => b.share - a.share)[0]?.state.label ?? '';
  const { decisions, variables } = await slowRecent(sql, wanted, { deciding, bottleneck });
  const rows = shown.decisions.map((row) => ({
    state: row.state.label,
    user: row.user?.name ?? null,
    decisions: row.decisions,
    median: rounded(row.median_seconds),
    p90: rounded(row.p90_seconds),
  }));
  const slow = decisions.map((row) => ({ ...row, median: rounded(row.median), p90: rounded(row.p90) }));
  expect(rows.toSorted(byUser)).toEqual(slow.toSorted(byUser));
  expect(shown.variables.every(({ state }) => state.label === bottleneck)).toBe(true);
  expect(variableRows(shown.variables)).toEqual(variableRows(variables));
}

/** The forecasts of a query are those of whole cohorts. */
export async function expectSlowFigures(sql: Sql, shown: Shown, wanted: Wanted): Promise<void> {
  const slow = await slowFigures(sql, wanted);
  expect(plain(shown.flow)).toEqual(slow.flow);
  expect(plain(shown.traffic)).toEqual(slow.traffic);
  expectStays(shown.stays, slow.stays, wanted.isQuery ? ofSums : 0.02);
  expectFailures(shown.failures, slow.failures);
  if (!wanted.isQuery) expectForecasts(shown.forecasts, slow.forecasts);
  await expectRecent(sql, shown, wanted);
}
