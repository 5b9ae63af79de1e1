/** Journey 7: read the log, attempts, arguments and result of a failed run, and retry it on the page or in a terminal. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { connect } from '../connection.ts';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { claimRun, type Run } from './study.ts';
import { withStudy } from './with-product.ts';

const shell = promisify(execFile);

const env = withStudy('reading');
let person: Person;
let run: Run;

beforeAll(async () => {
  await env.study.experiment('MC-0041', 'segmenting');
  run = await env.study.claimRun();
  person = await signedIn(env, { permissions: ['clipboard-read', 'clipboard-write'] });
});

const section = (name: string) => person.page.getByRole('region', { name, exact: true }).first();

describe('the page of a run', () => {
  it('shows new log lines while the run is active', async () => {
    const { page } = person;
    await page.goto(`/callback_executions/${run.executionId}`);
    await expectVisible(page.getByRole('heading', { name: 'segmentation' }));
    for (const line of ['Series 1 of 5', 'Series 2 of 5']) {
      await run.appendLog(`${line}\n`);
      await expectVisible(section('Log').getByText(line));
    }
  });

  it('shows the result, arguments and attempts of a failed run', async () => {
    const { page } = person;
    await run.finish('failed', 'no T1 series');
    await expectVisible(page.getByRole('button', { name: 'Retry' }));
    const main = page.getByRole('main');
    await expectVisible(main.getByText('Failed'));
    await expectVisible(main.getByText('no T1 series'));
    await expectVisible(main.getByText('"series": "T1"'));
    await expectVisible(main.getByText('1482.5'));
    await expectVisible(main.getByText('Attempt 1'));
    await expectVisible(section('Log').getByText('Series 2 of 5'));
  });

  it('retries the run and opens the new run', async () => {
    const { page } = person;
    await page.getByRole('button', { name: 'Retry' }).click();
    run = await env.study.claimRun();
    await page.waitForURL(`**/callback_executions/${run.executionId}`);
    await run.appendLog('Again\n');
    await expectVisible(section('Log').getByText('Again'));
    await run.finish('failed');
  });

  it('copies the retry as a curl command that works in a terminal', async () => {
    const { page, pageErrors } = person;
    await page.getByRole('button', { name: 'Copy as…' }).click();
    await page.getByRole('menuitem', { name: 'curl' }).click();
    const { username, password } = env.product.account;
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    // curl would prompt for the password.
    const command = copied.replace(`--user '${username}'`, `--user '${username}:${password}'`);
    expect(command).not.toBe(copied);
    await shell('sh', ['-c', command]);
    const again = await env.study.claimRun();
    expect(again.executionId).toBeGreaterThan(run.executionId);
    await again.finish('success');
    expect(pageErrors).toEqual([]);
  });
});

it('shows the log of a run that starts while its page is loading', async () => {
  const { page, pageErrors } = person;
  const id = await env.study.experiment('MC-0043', 'segmenting');
  await page.goto(`/experiments/${id}`);
  await expectVisible(page.getByRole('status').filter({ hasText: 'Live' }));
  const [read, started] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(/\/callback_executions\/\d+$/, async (route) => {
    const response = await route.fetch();
    read.resolve();
    await started.promise;
    await route.fulfill({ response });
  });
  await section('Active runs').getByRole('link', { name: 'segmentation' }).click();
  await read.promise;
  // The attempts are requested again when the event of the start arrives.
  const requested = page.waitForRequest(/\/attempts/);
  const early = await env.study.claimRun();
  await requested;
  started.resolve();
  await early.appendLog('Series 1 of 3\n');
  await expectVisible(section('Log').getByText('Series 1 of 3'));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await early.finish('success');
  expect(pageErrors).toEqual([]);
});

const workflow = `
label: measuring
states:
  - label: scanned
    outcome: neutral
    transitions: [{destination: measuring}]
  - label: measuring
    callbacks:
      - label: measure
        function: measuring
        callback_arguments:
          motion: '{{experiment.variables.motion}} mm'
          session: '{{experiment.label}}'
          secret: '{{execution.secret}}'
`;

it('shows the arguments with the values of variables, says that they may have changed, and hides the secret', async () => {
  const { page, pageErrors } = person;
  const { client } = env.product;
  await connect(inject('shared')).client.importWorkflow({ body: { workflow_definition: workflow } });
  const { id } = await client.createExperiment({
    body: { label: 'MC-0042', subject_id: env.study.subject.id, workflow_label: 'measuring' },
  });
  await client.setExperimentVariable({ params: { id, name: 'motion' }, body: { value: 1.56 } });
  await client.setExperimentState({ params: { id }, body: { state_label: 'measuring' } });
  const { actions } = await client.getExperimentTimeline({ params: { id } });
  await page.goto(`/callback_executions/${actions[0]?.executions[0]?.id}`);
  const shown = section('Arguments');
  await expectVisible(shown.getByText('"motion": "1.56 mm"'));
  await expectVisible(shown.getByText('"session": "MC-0042"'));
  await expectVisible(shown.getByText('"secret": "{{execution.secret}}"'));
  await expectVisible(
    shown.getByText('Current values, which the run reads when it starts: experiment.variables.motion'),
  );
  const claimed = await claimRun(connect(inject('shared')), 'measuring');
  await expectVisible(
    shown.getByText('Current values, which may have changed since the run started: experiment.variables.motion'),
  );
  await client.setExperimentVariable({ params: { id, name: 'motion' }, body: { value: 0.9 } });
  await expectVisible(shown.getByText('"motion": "0.9 mm"'));
  await claimed.finish('success');
  expect(pageErrors).toEqual([]);
});
