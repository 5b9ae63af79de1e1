/** One run of Schemathesis as one user, against a server with a small study. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServerProcess } from '../../packages/server/testing/processes/server-process.ts';
import type { TestDatabase } from '../../packages/server/testing/postgres-server.ts';
import { admin, makeStudy, type Caller } from './study.ts';

interface Run {
  program: string;
  examples: string;
  seed: string;
}

export interface Fuzzed {
  cases: number;
  findings: number;
  passed: boolean;
  /** The run in one line. */
  line: string;
  /** The output of Schemathesis and the server. */
  output: string;
}

const here = fileURLToPath(new URL('.', import.meta.url));

export async function fuzzAs(caller: Caller, { databaseUrl }: TestDatabase, run: Run): Promise<Fuzzed> {
  const server = await startServerProcess({
    DATABASE_URL: databaseUrl,
    MILEPOST_LOG_LEVEL: 'error',
    MILEPOST_ADMIN_USERNAME: admin.username,
    MILEPOST_ADMIN_PASSWORD: admin.password,
    // hooks.py gives each request its own client address.
    MILEPOST_TRUSTED_PROXIES: '127.0.0.1',
  });
  const folder = await mkdtemp(join(tmpdir(), 'milepost-fuzz-'));
  try {
    const report = join(folder, 'report.json');
    const settings = { FUZZ_CALLER: caller.username, FUZZ_STUDY: JSON.stringify(await makeStudy(server.baseUrl)) };
    const { code, output } = await start(run.program, argumentsFor(caller, run, server.baseUrl, report), settings);
    return summary(caller, code, await readReport(report), output + server.output());
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

const argumentsFor = ({ username, password }: Caller, { examples, seed }: Run, baseUrl: string, report: string) => [
  `--config-file=${join(here, 'schemathesis.toml')}`,
  'run',
  `${baseUrl}/openapi.json`,
  `--auth=${username}:${password}`,
  `--max-examples=${examples}`,
  `--seed=${seed}`,
  '--generation-database=none',
  '--report=json',
  `--report-json-path=${report}`,
];

async function start(program: string, args: string[], settings: Record<string, string>) {
  const env = { ...process.env, ...settings, NO_COLOR: '1' };
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>();
  const options = { cwd: here, env, maxBuffer: 256 * 1024 * 1024 };
  const child = execFile(program, args, options, (_, out, error) =>
    resolve({ code: child.exitCode ?? 1, output: out + error }),
  );
  return promise;
}

interface Report {
  running_time: number;
  operations: { tested: number; total: number };
  test_cases: { generated: number; unique_failures: number; errored: number };
}

const emptyReport: Report = {
  running_time: 0,
  operations: { tested: 0, total: 0 },
  test_cases: { generated: 0, unique_failures: 0, errored: 0 },
};

/** A run that could not start writes no report. */
const readReport = async (file: string): Promise<Report> =>
  JSON.parse(await readFile(file, 'utf8').catch(() => JSON.stringify(emptyReport)));

/** The event stream is excluded in schemathesis.toml. */
const excludedOperations = 1;

function summary({ username }: Caller, code: number, report: Report, output: string): Fuzzed {
  const { generated: cases, unique_failures: failures, errored } = report.test_cases;
  const { tested, total } = report.operations;
  const findings = failures + errored;
  const passed = code === 0 && findings === 0 && tested === total - excludedOperations && cases > 0;
  const time = `${Math.round(report.running_time)} s`;
  const line = `${username}: ${tested} of ${total} operations, ${cases} cases, ${findings} findings in ${time}`;
  return { cases, findings, passed, line, output };
}
