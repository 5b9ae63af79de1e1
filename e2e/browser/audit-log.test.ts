/** Journey 9, second half: an auditor reads the history of an experiment, exports it and verifies it offline. */
import { execFile, spawn } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { signalGroup } from '../../packages/milepost/testing/dev-process.ts';
import { npx } from '../product.ts';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { makeStudy } from './study.ts';
import { withProduct } from './with-product.ts';

const run = promisify(execFile);
const data = 'data-audit-log';
const env = withProduct(data);
const keyFile = join(inject('installed'), data, 'checkpoint-key.pem');
const { PATH = '', HOME = '' } = process.env;
const baseEnv = { PATH, HOME };
let person: Person;
let folder: string;
let id: number;

beforeAll(async () => {
  const study = await makeStudy(env.product, 'audited');
  id = await study.experiment('E-audited', 'segmenting');
  await study.experiment('E-other');
  await (await study.claimRun()).finish('failed', 'no T1 series');
  await env.product.client.addNote({ params: { id }, body: { text: 'Asked the scanner room.' } });
  folder = await mkdtemp(join(tmpdir(), 'milepost-audit-log-'));
  person = await signedIn(env);
});
afterAll(() => rm(folder, { recursive: true }));

const entry = (page: Page, text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text });

const unsigned = async () => (await env.product.client.listCheckpoints()).unsigned_since;

/** The worker of the product signs once a minute. A second worker signs as soon as it starts. */
async function signAll(): Promise<void> {
  const [command, ...args] = [...npx, 'work'];
  const worker = spawn(command, args, {
    cwd: inject('installed'),
    env: {
      ...baseEnv,
      DATABASE_URL: env.product.databaseUrl,
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

/** Verifies with the file and the public key only, without database settings. */
async function verify(file: string): Promise<string> {
  const [command, ...args] = [...npx, 'verify', file, '--public-key', join(folder, 'public.pem')];
  const { stdout } = await run(command, args, { cwd: inject('installed'), env: baseEnv });
  return stdout;
}

describe('the audit log', () => {
  it('tells the history of an experiment in sentences and shows the values of a change', async () => {
    const { page, pageErrors } = person;
    await page.goto(`/experiments/${id}`);
    await page.getByRole('main').getByRole('link', { name: 'Audit log' }).click();
    await expectVisible(page.getByRole('heading', { name: 'Audit log' }));
    await expectVisible(entry(page, /Created experiment E-audited in/));
    await expectVisible(page.getByRole('heading', { name: /^Today/ }));
    expect(await page.getByText('E-other').count()).toBe(0);
    const note = entry(page, 'Added a note to E-audited');
    const toggle = note.getByRole('button', { name: /^Details: Added a note/ });
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    await toggle.focus();
    await page.keyboard.press('Enter');
    await expectVisible(note.getByRole('row', { name: /Text .*Asked the scanner room\./ }));
    await expectVisible(note.getByText('Request ID'));
    expect(pageErrors).toEqual([]);
  });

  it('shows changes by people only, until the user asks for those of a day', async () => {
    const { page } = person;
    await page.goto(`/audit?experiment=${id}`);
    await expectVisible(entry(page, 'Created experiment E-audited'));
    expect(await page.getByText('Workflow', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expectVisible(entry(page, 'Workflow').first());
    await page.reload();
    await expectVisible(entry(page, 'Workflow').first());
    await page.getByRole('button', { name: 'Hide service accounts and workflows' }).click();
    await expect.poll(() => page.getByText('Workflow', { exact: true }).count()).toBe(0);
  });

  it('filters entries by experiment and kind, and exports the same ones', async () => {
    const { page } = person;
    await page.goto('/audit');
    await page.getByRole('combobox', { name: 'Subject or experiment' }).fill('E-au');
    await page.getByRole('option', { name: 'E-audited' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe(`?experiment=${id}`);
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await expectVisible(page.getByText('2 entries by people', { exact: true }));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export NDJSON' }).click(),
    ]);
    const file = join(folder, 'audit.ndjson');
    await download.saveAs(file);
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const operations = lines.map((line) => (JSON.parse(line) as { operation: string }).operation);
    expect(operations).toEqual(['addNote', 'createExperiment']);
  });

  it('shows neighbouring changes of an experiment on one line until the user opens it', async () => {
    const { page } = person;
    for (const [index, name] of ['motion', 'noise', 'contrast', 'sharpness'].entries()) {
      await env.product.client.setExperimentVariable({ params: { id, name }, body: { value: index } });
    }
    await page.goto(`/audit?experiment=${id}`);
    const line = page.getByRole('button', { name: '4 entries: Set 4 variables of E-audited' });
    expect(await line.getAttribute('aria-expanded')).toBe('false');
    await expectVisible(page.getByText('4 entries · Correction'));
    await line.focus();
    await page.keyboard.press('Enter');
    const single = page.getByRole('list', { name: 'Set 4 variables of E-audited' });
    await expect.poll(() => single.getByRole('listitem').count()).toBe(4);
    await single.getByRole('button', { name: /^Details: .*noise/ }).click();
    await expectVisible(single.getByText('Request ID'));
    await line.click();
    await expect.poll(() => single.count()).toBe(0);
  });

  it('opens the entry of a link', async () => {
    const { page } = person;
    const { entries } = await env.product.client.listAudit({ query: { experiment_id: id, operation: 'addNote' } });
    await page.goto(`/audit?entry=${entries[0]?.id}`);
    await expectVisible(entry(page, 'Added a note to E-audited').getByText('Request ID'));
  });

  it('exports a history that `milepost verify` accepts offline, and rejects after a modification', async () => {
    const { page } = person;
    await signAll();
    await page.goto('/audit');
    await page.getByRole('button', { name: 'Verify now' }).click();
    await expectVisible(page.getByText(/History verified .*: [\d,]+ entries, 0 faults\./));
    await page.getByRole('button', { name: 'How this works' }).click();
    await expectVisible(page.getByText(/Checkpoint \d+ was signed/));
    const pem = await readFile(keyFile, 'utf8');
    await writeFile(join(folder, 'public.pem'), createPublicKey(pem).export({ format: 'pem', type: 'spki' }));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export the whole history' }).click(),
    ]);
    const file = join(folder, 'history.ndjson');
    await download.saveAs(file);
    expect(download.suggestedFilename()).toBe('history.ndjson');
    expect(await verify(file)).toMatch(/^Verified\. Entries: \d+ in \d+ chains \(0 erased\)\. Checkpoints: [1-9]/);

    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('Moved by the test.', 'Moved by nobody.'));
    await expect(verify(file)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(`experiment ${id}`) });
  });
});
