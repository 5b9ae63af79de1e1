/** Insights: how experiments flow through a workflow, week by week (docs/reference/insights.md). */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import { maxQueryLength } from '../queries/terms.ts';
import * as v from '../values.ts';
import { workflowExample } from '../workflows/workflows.ts';
import {
  DecisionTimeRow,
  FailureRow,
  FlowRow,
  ForecastRow,
  Insights,
  PastCounts,
  StayRow,
  VariableRow,
} from './insight-rows.ts';

/** Queries that find more experiments are refused. */
export const maxQueried = 10_000;
export const defaultWeeks = 12;
const mostWeeks = 260;

const filter = {
  workflow_id: v.Id,
  cohort_id: Type.Optional({ ...v.Id, description: 'Only experiments of this cohort.' }),
  weeks: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: mostWeeks,
      description: `The number of weeks up to now, with the current one. Default: ${defaultWeeks}.`,
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: maxQueryLength,
      description: `Only experiments that match this query, at most ${maxQueried}.`,
    }),
  ),
};
const listFilter = v.closed({
  ...filter,
  offset: v.page.offset,
  after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only the rows after so many rows, like `offset`.' })),
  limit: v.screenLimit(1000),
});
const statuses = {
  400: 'The request is invalid, or the workflow or cohort does not exist.',
  422: `More than ${maxQueried} experiments match the query.`,
};

const state = { id: 3, label: 'visual_qc', uri: '/api/v2/states/3' };
const cohort = { id: 7, label: 'memory-clinic', uri: '/api/v2/cohorts/7' };
const flow = {
  week: '2026-11-09',
  state,
  arrived: 0,
  entered: 34,
  final: false,
  finished: 0,
  left: 31,
  experiments: 16,
};
const traffic = {
  source: state,
  destination: { id: 4, label: 'de_identification', uri: '/api/v2/states/4' },
  moves: 312,
};
const stays = {
  state,
  stays: 321,
  p10_seconds: 7200,
  p25_seconds: 86_400,
  median_seconds: 277_200,
  p75_seconds: 500_000,
  p90_seconds: 799_200,
  total_seconds: 95_000_000,
  present_seconds: 4_200_000,
  share: 0.41,
  final: false,
  experiments: 16,
  oldest_entered_at: '2026-11-02T07:15:00.000Z',
  waits_for_decision: true,
};
const failure = {
  callback: { id: 9, label: 'deface', uri: '/api/v2/callbacks/9' },
  state: { id: 4, label: 'de_identification', uri: '/api/v2/states/4' },
  cause_group: '9-5d41402abc4b2a76',
  cause: 'A name is burned into the pixels',
  failures: 62,
  retries: 4,
  open: 28,
  weeks: [2, 1, 4, 55],
};
const forecast = {
  cohort,
  experiments: 1114,
  finished: 885,
  forecast: { p10: '2027-02-12', p25: '2027-02-24', median: '2027-03-07', p75: '2027-03-20', p90: '2027-04-03' },
  no_forecast: null,
  tests: 12,
  tests_in_range: 10,
};
const variable = {
  state,
  variable: 'scanner',
  value: 'Prisma',
  stays: 212,
  median_seconds: 500_000,
  all_stays: 321,
  all_median_seconds: 217_000,
};
const decision = { state, user: null, decisions: 318, median_seconds: 277_200, p90_seconds: 799_200 };

export const insightOperations = defineOperations({
  getPastWorkflowCounts: {
    method: 'GET',
    path: '/workflows/{id}/past_counts',
    summary: 'Count the experiments in each state at the end of a past day',
    description:
      'The counts at the end of the day `at`, in UTC, from the history of moves, or the present ones for today. Experiments of subjects who have ' +
      'withdrawn since are not counted, and those that have changed cohort count in the present one. The response time does not depend on the ' +
      'number of experiments.',
    access: signedIn,
    params: v.ById,
    query: v.closed({
      at: { ...v.CalendarDateInput, description: 'The day, in UTC.' },
      cohort_id: Type.Optional({ ...v.Id, description: 'Only experiments of this cohort.' }),
    }),
    response: PastCounts,
    statuses: {
      200: 'The counts.',
      400: 'The request is invalid, or the cohort does not exist.',
      404: 'No workflow has this id.',
    },
    example: {
      response: {
        workflow: workflowExample,
        cohort_id: null,
        at: '2026-10-01',
        states: [{ state, experiments: 41 }],
        experiments: 41,
        counted: { at: '2026-11-15T08:30:00.000Z', rebuilding: false },
      },
    },
  },
  getInsights: {
    method: 'GET',
    path: '/insights',
    summary: 'Read how experiments flow through a workflow',
    description:
      'All figures of the page Insights. Without a query, they are read from counts that workers keep, so the response time does not depend ' +
      'on the number of experiments. Counts are exact, quantiles are within 2 %. With a query, the figures except the forecasts are computed from the actions ' +
      'of the experiments. Withdrawn subjects do not count.',
    access: signedIn,
    query: v.closed(filter),
    response: Insights,
    statuses: { 200: 'The figures.', ...statuses },
    example: {
      response: {
        workflow: workflowExample,
        cohort_id: null,
        from: '2026-11-09',
        weeks: ['2026-11-09'],
        counted: { at: '2026-11-15T08:30:00.000Z', rebuilding: false },
        experiments: 1114,
        flow: [flow],
        traffic: [traffic],
        stays: [stays],
        failures: [failure],
        forecasts: [forecast],
        variables: [variable],
        decisions: [decision],
      },
    },
  },
  listInsightFlow: {
    method: 'GET',
    path: '/insights/flow',
    summary: 'List the experiments of each state by week',
    description:
      'By week and state: how many experiments arrived, entered and left, and how many are in the state at the end.',
    access: signedIn,
    query: listFilter,
    response: v.listOf('flow', FlowRow),
    statuses: { 200: 'The rows.', ...statuses },
    example: { response: { flow: [flow] } },
  },
  listInsightStays: {
    method: 'GET',
    path: '/insights/stays',
    summary: 'List how long experiments stayed in each state',
    description:
      'In the order of the workflow: the stays that ended in the period with their quantiles, the present experiments with the age of the oldest, ' +
      'and the part of all time.',
    access: signedIn,
    query: listFilter,
    response: v.listOf('stays', StayRow),
    statuses: { 200: 'The rows.', ...statuses },
    example: { response: { stays: [stays] } },
  },
  listInsightFailures: {
    method: 'GET',
    path: '/insights/failures',
    summary: 'List failed runs by callback and cause',
    description: 'The most frequent causes first, at most 100.',
    access: signedIn,
    query: listFilter,
    response: v.listOf('failures', FailureRow),
    statuses: { 200: 'The rows.', ...statuses },
    example: { response: { failures: [failure] } },
  },
  listInsightForecasts: {
    method: 'GET',
    path: '/insights/forecasts',
    summary: 'List the progress of cohorts and when they will be finished',
    description:
      'The cohorts with experiments of the workflow, ordered by label, at most 100. The forecast repeats randomly chosen weeks of the ' +
      'history of the cohort until its present experiments are finished. The reference of insights describes how it was tested.',
    access: signedIn,
    query: listFilter,
    response: v.listOf('forecasts', ForecastRow),
    statuses: { 200: 'The rows.', ...statuses },
    example: { response: { forecasts: [forecast] } },
  },
  listInsightVariables: {
    method: 'GET',
    path: '/insights/variables',
    summary: 'List variables that go with long stays',
    description:
      'In the state with the most waiting time: values of variables whose stays are longer or shorter than those with any value, from ' +
      'the latest 1,000 stays. Values with fewer than 5 stays are left out.',
    access: signedIn,
    query: listFilter,
    response: v.listOf('variables', VariableRow),
    statuses: { 200: 'The rows.', ...statuses },
    example: { response: { variables: [variable] } },
  },
  listInsightDecisions: {
    method: 'GET',
    path: '/insights/decisions',
    summary: 'List how long decisions took',
    description:
      'For each state with decisions: all of them, and with the permission `audit_read` also those of each user.',
    access: signedIn,
    query: listFilter,
    response: v.listOf('decisions', DecisionTimeRow),
    statuses: { 200: 'The rows.', ...statuses },
    example: { response: { decisions: [decision] } },
  },
});
