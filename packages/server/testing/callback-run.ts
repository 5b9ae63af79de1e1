/** A test run of a callback function, with values that a test can override. */
import type { Run } from '../src/functions/callback-function.ts';

export const testSecret = 'Q2hhbmdlLW1lLW5vdy4';

const base = 'https://milepost.example.org';
const withUris = (collection: string, id: number) => ({
  id,
  apiUri: `${base}/api/v2/${collection}/${id}`,
  webUri: `${base}/${collection}/${id}`,
});

export function makeRun(args: Readonly<Record<string, unknown>>, overrides: Partial<Run> = {}) {
  const controller = new AbortController();
  const lines: string[] = [];
  const run: Run = {
    arguments: args,
    execution: {
      ...withUris('callback_executions', 7),
      attempt: 2,
      secret: testSecret,
      created: '2026-11-17T12:00:00.123Z',
      runningSeconds: 0,
    },
    action: withUris('actions', 5),
    experiment: {
      ...withUris('experiments', 3),
      label: 'exp_3',
      externalIds: { XNAT: 'XNAT_E00003' },
      variables: { urgent: true },
    },
    subject: { ...withUris('subjects', 2), label: 'sub_2', externalIds: { XNAT: 'XNAT_S00002' } },
    cohort: { id: 1, label: 'first' },
    externalSystems: { XNAT: 'https://xnat.example.org' },
    waitsForReport: false,
    signal: controller.signal,
    log: (text) => lines.push(text),
    ...overrides,
  };
  return { run, lines, abort: (reason: Error) => controller.abort(reason) };
}
