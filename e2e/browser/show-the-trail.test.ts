/** Journey 9, its second half: the auditor sees the trail of an experiment, takes it away, and verifies it offline. */
import { execFile, spawn } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { signalGroup } from '../../packages/milepost/testing/dev-process.ts';
import { npx } from '../product.ts';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { makeStudy } from './study.ts';
import { withProduct } from './with-product.ts';

const run = promisify(execFile);
const data = 'data-trail';
const here = withProduct(data);
const keyFile = join(inject('installed'), data, 'checkpoint-key.pem');
const { PATH = '', HOME = '' } = process.env;
const outside = { PATH, HOME };
let person: Person;
let folder: string;
let id: number;

beforeAll(async () => {
  const study = await makeStudy(here.product, 'trail');
  id = await study.experiment('E-trail', 'segmenting');
  await study.experiment('E-other');
  await here.product.client.addNote({ params: { id }, body: { text: 'Asked the scanner room.' } });
  folder = await mkdtemp(join(tmpdir(), 'milepost-trail-'));
  person = await signedIn(here);
});
afterAll(() => rm(folder, { recursive: true }));

const changes = (page: Page) => page.getByRole('table', { name: 'Changes' });

const unsigned = async () => (await here.product.client.listCheckpoints()).unsigned_since;

/** The worker of the product signs once a minute; another one signs as soon as it starts. */
async function signAll(): Promise<void> {
  const [command, ...words] = [...npx, 'work'];
  const worker = spawn(command, words, {
    cwd: inject('installed'),
    env: {
      ...outside,
      DATABASE_URL: here.product.databaseUrl,
      MILEPOST_CHECKPOINT_KEY_FILE: keyFile,
      MILEPOST_WORKER_METRICS_PORT: '0',
    },
    stdio: 'ignore',
    detached: true,
  });
  try {
    await expect.poll(unsigned).toBeNull();
  } finally {
    await signalGroup(worker, 'SIGINT');
  }
}

/** Offline: with the file and the public key, in a folder where no database is named. */
async function verify(file: string): Promise<string> {
  const [command, ...words] = [...npx, 'verify', file, '--public-key', join(folder, 'public.pem')];
  const { stdout } = await run(command, words, { cwd: inject('installed'), env: outside });
  return stdout;
}

it('from an experiment to its history, and to what each change was', async () => {
  const { page, complaints } = person;
  await page.goto(`/experiments/${id}`);
  await page.getByRole('link', { name: 'History' }).click();
  await expectVisible(page.getByRole('heading', { name: 'Audit' }));
  await expectVisible(changes(page).getByRole('row', { name: /createExperiment/ }));
  expect(await changes(page).getByText('E-other').count()).toBe(0);
  const note = changes(page).getByRole('row', { name: /addNote/ });
  await note.getByRole('button', { name: /^Open entry/ }).click();
  await expectVisible(note.getByText('Asked the scanner room.'));
  expect(complaints).toEqual([]);
});

it('the filters find the experiment by its label, the person and the operation', async () => {
  const { page } = person;
  await page.goto('/audit');
  await page.getByRole('combobox', { name: 'Experiment' }).fill('E-tr');
  await page.getByRole('option', { name: 'E-trail' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe(`?experiment=${id}`);
  await page.getByRole('combobox', { name: 'Operation' }).fill('setExperimentS');
  await page.getByRole('option', { name: 'setExperimentState' }).click();
  await expectVisible(page.getByText('1 row, all of them'));
  await expectVisible(changes(page).getByText('Moved by the test.'));
});

it('the export verifies offline with the public key, and one that was tampered with does not', async () => {
  const { page } = person;
  await signAll();
  await page.goto('/audit');
  await expectVisible(page.getByText(/^Checkpoint \d+ was signed .* Everything is signed\.$/));
  const pem = await readFile(keyFile, 'utf8');
  await writeFile(join(folder, 'public.pem'), createPublicKey(pem).export({ format: 'pem', type: 'spki' }));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export history' }).click(),
  ]);
  const file = join(folder, 'history.ndjson');
  await download.saveAs(file);
  expect(download.suggestedFilename()).toBe('history.ndjson');
  expect(await verify(file)).toMatch(/^\d+ entries in \d+ chains, 0 of them erased; [1-9]\d* checkpoints/);

  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('Moved by the test.', 'Moved by nobody.'));
  await expect(verify(file)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(`experiment ${id}`) });
});
