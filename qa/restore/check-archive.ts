/** Checks that the WAL is archived, and that the archive command of the docs does not overwrite a segment. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withClient } from '../../packages/server/testing/postgres-server.ts';
import type { Check } from './check-restored.ts';
import { until } from './until.ts';

export async function checkArchive(check: Check, url: string, archive: string): Promise<void> {
  await until(async () => (await readArchiver(url)).archived > 0);
  const { archived, failed, command } = await readArchiver(url);
  check(archived > 0 && failed === 0, `${archived} segments archived, ${failed} failed`);
  const outcomes = await archiveAgain(command, archive);
  check(outcomes === 'yes yes no', `archives a segment, the same segment, and another one with its name: ${outcomes}`);
}

interface Archiver {
  archived: number;
  failed: number;
  command: string;
}

const readArchiver = (url: string): Promise<Archiver> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<Archiver>(`select archived_count::int as archived, failed_count::int as failed,
      current_setting('archive_command') as command from pg_stat_archiver`);
    return rows[0] ?? { archived: 0, failed: 0, command: '' };
  });

/** Archives a file that is not a real segment three times and then removes it. */
async function archiveAgain(command: string, archive: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-segment-'));
  const [path, name] = [join(folder, 'segment'), 'no-segment'];
  const outcomes: string[] = [];
  for (const content of ['one', 'one', 'another']) {
    await writeFile(path, content);
    const run = promisify(execFile)('sh', ['-c', command.replaceAll('%p', path).replaceAll('%f', name)]);
    outcomes.push(await run.then(() => 'yes').catch(() => 'no'));
  }
  await Promise.all([folder, join(archive, name)].map((one) => rm(one, { recursive: true, force: true })));
  return outcomes.join(' ');
}
