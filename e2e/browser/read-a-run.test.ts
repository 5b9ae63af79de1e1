/** Journey 7: read a failed run: its log while it grows, attempts, arguments and answer; retry it, here or in a terminal. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import type { Run } from './study.ts';
import { withStudy } from './with-product.ts';

const shell = promisify(execFile);

const here = withStudy('reading');
let person: Person;
let run: Run;

beforeAll(async () => {
  await here.study.experiment('MC-0041', 'segmenting');
  run = await here.study.take();
  person = await signedIn(here, { permissions: ['clipboard-read', 'clipboard-write'] });
});

const part = (name: string) => person.page.getByRole('region', { name, exact: true }).first();

it('shows the log while it grows', async () => {
  const { page } = person;
  await page.goto(`/callback_executions/${run.executionId}`);
  await expectVisible(page.getByRole('heading', { name: 'segmentation' }));
  for (const line of ['Series 1 of 5', 'Series 2 of 5']) {
    await run.say(`${line}\n`);
    await expectVisible(part('Log').getByText(line));
  }
});

it('shows that it failed, with the answer, the arguments and the attempts', async () => {
  const { page } = person;
  await run.end('failed', 'no T1 series');
  await expectVisible(page.getByRole('button', { name: 'Retry' }));
  const main = page.getByRole('main');
  await expectVisible(main.getByText('Failed'));
  await expectVisible(main.getByText('no T1 series'));
  await expectVisible(main.getByText('"series": "T1"'));
  await expectVisible(main.getByText('1482.5'));
  await expectVisible(main.getByText('Attempt 1'));
  await expectVisible(part('Log').getByText('Series 2 of 5'));
});

it('runs it again, and goes to the new run', async () => {
  const { page } = person;
  await page.getByRole('button', { name: 'Retry' }).click();
  run = await here.study.take();
  await page.waitForURL(`**/callback_executions/${run.executionId}`);
  await run.say('Again\n');
  await expectVisible(part('Log').getByText('Again'));
  await run.end('failed');
});

it('is copied as a command that does the same in a terminal', async () => {
  const { page, complaints } = person;
  await page.getByRole('button', { name: 'Copy as…' }).click();
  await page.getByRole('menuitem', { name: 'curl' }).click();
  const { username, password } = here.product.account;
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  // A terminal asks for the password; here nobody would answer.
  const command = copied.replace(`--user '${username}'`, `--user '${username}:${password}'`);
  expect(command).not.toBe(copied);
  await shell('sh', ['-c', command]);
  const again = await here.study.take();
  expect(again.executionId).toBeGreaterThan(run.executionId);
  await again.end('success');
  expect(complaints).toEqual([]);
});
