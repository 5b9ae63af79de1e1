/** One attempt of a callback, as a function gets it. Tests say what is particular about theirs. */
import type { Run } from '../src/functions/callback-function.ts';

export const testSecret = 'Q2hhbmdlLW1lLW5vdy4';

const base = 'https://milepost.example.org';
const addressed = (collection: string, id: number) => ({
  id,
  apiUri: `${base}/api/v2/${collection}/${id}`,
  webUri: `${base}/${collection}/${id}`,
});

export function makeRun(given: Readonly<Record<string, unknown>>, more: Partial<Run> = {}) {
  const controller = new AbortController();
  const lines: string[] = [];
  const run: Run = {
    arguments: given,
    execution: { ...addressed('callback_executions', 7), attempt: 2, secret: testSecret },
    action: addressed('actions', 5),
    experiment: {
      ...addressed('experiments', 3),
      label: 'exp_3',
      externalIds: { XNAT: 'XNAT_E00003' },
      variables: { urgent: true },
    },
    subject: { ...addressed('subjects', 2), label: 'sub_2', externalIds: { XNAT: 'XNAT_S00002' } },
    cohort: { id: 1, label: 'first' },
    externalSystems: { XNAT: 'https://xnat.example.org' },
    waitsAfterwards: false,
    signal: controller.signal,
    log: (text) => lines.push(text),
    ...more,
  };
  return { run, lines, abort: (reason: Error) => controller.abort(reason) };
}
