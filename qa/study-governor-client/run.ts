/**
 * `npm run qa:study-governor-client`: calls every public member of Study Governor's Python client against a server, and compares
 * the outcomes with the table methods.tsv. `-- --write` writes the outcomes to the table instead. `-- --study-governor <address>` writes the
 * outcomes of a running Study Governor with an empty database and the administrator below. Start it with
 * STUDYGOV_CALLBACK_METHOD=celery and the broker memory://, so that executions stay open.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { cloneDatabase, startTestPostgres } from '../../packages/server/testing/postgres-server.ts';
import { startServerProcess } from '../../packages/server/testing/processes/server-process.ts';
import { pythonEnvironment } from '../python-environment.ts';
import { differences, parseOutcomes, parseTable, printTable, withColumn, type Outcome } from './table.ts';

const admin = { username: 'admin', password: 'administrator of the client run' };
const here = fileURLToPath(new URL('.', import.meta.url));
const tableFile = join(here, 'methods.tsv');

const { values: options } = parseArgs({
  options: { write: { type: 'boolean', default: false }, 'study-governor': { type: 'string' } },
});

async function callMethods(address: string): Promise<Outcome[]> {
  const python = join(pythonEnvironment('study-governor-client', join(here, 'requirements.txt')), 'python');
  const env = { ...process.env, CLIENT_PASSWORD: admin.password, PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await promisify(execFile)(python, [join(here, 'call_methods.py'), address, admin.username], {
    env,
  });
  return parseOutcomes(stdout);
}

async function callMethodsHere(): Promise<Outcome[]> {
  const { server: postgres, end } = await startTestPostgres();
  try {
    const { databaseUrl } = await cloneDatabase(postgres);
    const server = await startServerProcess({
      DATABASE_URL: databaseUrl,
      MILEPOST_LOG_LEVEL: 'error',
      MILEPOST_ADMIN_USERNAME: admin.username,
      MILEPOST_ADMIN_PASSWORD: admin.password,
    });
    const outcomes = await callMethods(server.url).catch((error: unknown) => {
      console.log(server.output());
      throw error;
    });
    await server.stop();
    return outcomes;
  } finally {
    await end();
  }
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
const outcomes = elsewhere === undefined ? await callMethodsHere() : await callMethods(elsewhere);
const column = elsewhere === undefined ? 'here' : 'studyGovernor';
if (elsewhere !== undefined || options.write) {
  writeFileSync(tableFile, printTable(withColumn(readTable(), column, outcomes)));
} else {
  compare(outcomes);
}
