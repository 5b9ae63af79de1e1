/**
 * `npm run qa:study-governor-client`: calls every public member of Study Governor's Python client against a server, compares the
 * outcomes with the table methods.tsv, and runs the Python code of the guide. `-- --write` writes the outcomes to the table instead.
 * `-- --study-governor <address>` writes the outcomes of a running Study Governor with an empty database and the administrator
 * of with-server.ts. Start it with STUDYGOV_CALLBACK_METHOD=celery and the broker memory://, so that executions stay open.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import type { ServerProcess } from '../../packages/server/testing/processes/server-process.ts';
import { pythonEnvironment } from '../python-environment.ts';
import { admin, withServer } from '../with-server.ts';
import { scriptOf } from './guide.ts';
import { differences, parseOutcomes, parseTable, printTable, withColumn, type Outcome } from './table.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const tableFile = join(here, 'methods.tsv');
const guideFile = join(here, '../../docs/how-to/study-governor-client.md');
const guideOutput = ['checked', 'No transition leads from checked to arrived.', "{'XNAT': 'XNAT_S00041'}"];
const run = promisify(execFile);

const { values: options } = parseArgs({
  options: { write: { type: 'boolean', default: false }, 'study-governor': { type: 'string' } },
});

const python = () => join(pythonEnvironment('study-governor-client', join(here, 'requirements.txt')), 'python');

async function callMethods(address: string): Promise<Outcome[]> {
  const env = { ...process.env, CLIENT_PASSWORD: admin.password, PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await run(python(), [join(here, 'call_methods.py'), address, admin.username], { env });
  return parseOutcomes(stdout);
}

/** Fails if a block of the guide raises an error or prints another value. */
async function runGuide({ url }: ServerProcess): Promise<void> {
  const script = scriptOf(readFileSync(guideFile, 'utf8'), { url, password: admin.password });
  const { stdout } = await run(python(), ['-c', script]);
  assert.deepEqual(stdout.trimEnd().split('\n'), guideOutput);
  console.log('The Python code of the guide works.');
}

const readTable = () => parseTable(readFileSync(tableFile, 'utf8'));

function compare(outcomes: readonly Outcome[]): void {
  const found = differences(readTable(), outcomes);
  for (const line of found) console.log(line);
  const works = outcomes.filter(({ outcome }) => outcome === 'works').length;
  console.log(`calls: ${outcomes.length}, work: ${works}, differences from the table: ${found.length}`);
  if (found.length > 0) process.exitCode = 1;
}

const elsewhere = options['study-governor'];
const outcomes =
  elsewhere === undefined ? await withServer(({ url }) => callMethods(url)) : await callMethods(elsewhere);
const column = elsewhere === undefined ? 'here' : 'studyGovernor';
if (elsewhere !== undefined || options.write) {
  writeFileSync(tableFile, printTable(withColumn(readTable(), column, outcomes)));
} else {
  compare(outcomes);
  // The guide starts with an empty installation.
  await withServer(runGuide);
}
