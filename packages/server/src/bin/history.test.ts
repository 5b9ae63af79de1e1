/** A history is exported and verified from its file alone, and the database against the states of its experiments. */
import { createPublicKey } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow } from '../../testing/engine-world.ts';
import { signAll } from '../../testing/sign-all.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { createCheckpointKey, readCheckpointKey } from '../chain/checkpoint-key.ts';
import { exportHistory, verifyDatabase, verifyFile } from './history.ts';

let server: TestServer;
let folder: string;
let experiment: number;
let lines: string[];
const pem = createCheckpointKey();
const inFolder = (name: string) => join(folder, name);
const environment = () => ({ DATABASE_URL: server.testDatabase.databaseUrl });

const publicPem = (text: string) => createPublicKey(text).export({ format: 'pem', type: 'spki' }).toString();

beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'milepost-history-'));
  await writeFile(inFolder('public.pem'), publicPem(pem));
  experiment = await createEngineWorld(server).experimentIn(pulledWorkflow('exported'));
  for (let index = 0; index < 5; index++) {
    await server.call('addNote', { params: { id: experiment }, body: { text: `note ${index}` } });
  }
  await signAll(server.database.db, readCheckpointKey(pem));
  lines = [];
  for await (const line of exportHistory(environment())) lines.push(line);
}, 60_000);
afterAll(async () => {
  await rm(folder, { recursive: true });
  await server.stop();
});

async function verifyLines(changed: readonly string[], key = 'public.pem') {
  await writeFile(inFolder('history.ndjson'), changed.join(''));
  return verifyFile(inFolder('history.ndjson'), inFolder(key));
}

/** Where the entry of that number in the experiment's chain stands. */
const placeOf = (sequence: number) =>
  lines.findIndex((line) => line.includes(`"chain":"experiment","chain_id":${experiment},"sequence":${sequence},`));

const verify = () => verifyDatabase(environment(), inFolder('public.pem'));

describe('an exported history', () => {
  it('verifies with its file and the public key', async () => {
    const { sound, says } = await verifyLines(lines);
    expect(says[0]).toMatch(/^\d+ entries in \d+ chains, 0 of them erased; \d+ checkpoints, the last of 20/);
    expect(sound).toBe(true);
    expect(await readFile(inFolder('history.ndjson'), 'utf8')).toContain('note 3');
  });

  it.each([
    ['a value changed', (at: number) => lines.with(at, lines[at]?.replace('note', 'other') ?? '')],
    ['a line removed', (at: number) => lines.toSpliced(at, 1)],
    ['two lines swapped', (at: number) => lines.with(at, lines[at + 1] ?? '').with(at + 1, lines[at] ?? '')],
    ['a line twice', (at: number) => lines.toSpliced(at, 0, lines[at - 1] ?? '')],
  ])('in which there is %s names the entry', async (_what, change) => {
    const { sound, says } = await verifyLines(change(placeOf(3)));
    expect(says.join()).toMatch(new RegExp(`^Entry [23] of experiment ${experiment}`));
    expect(sound).toBe(false);
  });

  it('of which the end is missing is cut off, whether a chain ends there or not', async () => {
    expect(await verifyLines(lines.slice(0, -1))).toMatchObject({ says: [expect.stringContaining('cut off')] });
    const within = await verifyLines(lines.slice(0, placeOf(4)));
    expect(within.says[0]).toMatch(
      new RegExp(`^Entry 4 of experiment ${experiment}: The entry is missing: checkpoint`),
    );
  });

  it('that somebody else signed does not pass', async () => {
    await writeFile(inFolder('other.pem'), publicPem(createCheckpointKey()));
    const { sound, says } = await verifyLines(lines, 'other.pem');
    expect(says[0]).toMatch(/^Checkpoint 1: It was signed with another key/);
    expect(sound).toBe(false);
  });

  it('is told from any other file', async () => {
    expect(await verifyLines(['{"kind":"other"}\n'])).toMatchObject({ says: ['This is not an exported history.'] });
  });
});

describe('the history in the database', () => {
  it('tells that an experiment was put elsewhere behind its back', async () => {
    const [before] = await server.sql<{ state_id: number }>('select state_id::int from experiments where id = $1', [
      experiment,
    ]);
    expect(await verify()).toMatchObject({ sound: true });
    await server.sql('update experiments set state_id = state_id + 1 where id = $1', [experiment]);
    expect(await verify()).toEqual({
      sound: false,
      says: [
        `Experiment ${experiment} is in state ${(before?.state_id ?? 0) + 1}, and its history ends in state ${before?.state_id}.`,
      ],
    });
    await server.sql('update experiments set state_id = state_id - 1 where id = $1', [experiment]);
  });
});
