/** What the tests of the import pages share: a study to import into, and the parts of the pages. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { Connection } from '../connection.ts';

const workflow = `
label: brain_mri
initial: arrived
states:
  - {label: arrived, title: Arrived, outcome: neutral, transitions: [{destination: visual_qc}]}
  - {label: visual_qc, title: Visual QC, outcome: neutral, transitions: [{destination: accepted}]}
  - {label: accepted, title: Accepted}
`;

/** Returns the id of the cohort into which the tests import. */
export async function prepareImports({ client }: Connection): Promise<number> {
  await client.importWorkflow({ body: { workflow_definition: workflow } });
  await client.createExternalSystem({ body: { system_name: 'XNAT', url: 'https://xnat.example.org' } });
  const { id } = await client.createCohort({ body: { label: 'memory-clinic' } });
  await client.createCohort({ body: { label: 'healthy-ageing' } });
  return id;
}

export interface Csv {
  name: string;
  text: string;
  encoding?: 'utf8' | 'latin1';
}

/** Opens the file dialog of the browser with a click, as a user does. */
export async function choose(page: Page, file: Csv | string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByLabel('File', { exact: true }).click(),
  ]);
  if (typeof file === 'string') return chooser.setFiles(file);
  const { name, text, encoding = 'utf8' } = file;
  return chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text, encoding) });
}

export const card = (page: Page) => page.getByRole('region', { name: 'Result' });
export const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true });

export async function download(page: Page, button: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()]);
  return readFile(await file.path(), 'utf8');
}

export const storedWith = ({ client }: Connection, q: string) =>
  client.searchExperiments({
    query: { q, sort: 'label', columns: 'label,scandate,state.label,external_ids,variables.scanner' },
  });
