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
import { signCheckpoint, type Checkpoint } from '../chain/sign-checkpoint.ts';
import { findStrayState } from '../store/chained-history.ts';
import { exportHistory, verifyDatabase, verifyFile, type Known } from './history.ts';

let server: TestServer;
let folder: string;
let experiment: number;
let lines: string[];
const pem = createCheckpointKey();
/** Entries in the middle of a chain that a checkpoint covers: all of them at night, every tenth in the gate. */
const hundred = Array.from({ length: 100 }, (_, index) => 3 + index);
const ten = hundred.filter((_, index) => index % 10 === 0);
const inFolder = (name: string) => join(folder, name);
const environment = () => ({ DATABASE_URL: server.testDatabase.databaseUrl });

const publicPem = (text: string) => createPublicKey(text).export({ format: 'pem', type: 'spki' }).toString();

beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'milepost-history-'));
  await writeFile(inFolder('public.pem'), publicPem(pem));
  const world = createEngineWorld(server);
  const workflow = await world.importWorkflow(pulledWorkflow('exported'));
  experiment = await world.experimentOf(workflow);
  for (let others = 0; others < 99; others++) await world.experimentOf(workflow);
  for (let index = 0; index < hundred.length + 5; index++) {
    await server.call('addNote', { params: { id: experiment }, body: { text: `note ${index}` } });
  }
  await signAll(server.database.db, readCheckpointKey(pem));
  lines = [];
  for await (const line of exportHistory(environment())) lines.push(line);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await server.stop();
});

async function verifyLines(changed: readonly string[], known: Partial<Known> = {}) {
  await writeFile(inFolder('history.ndjson'), changed.join(''));
  return verifyFile(inFolder('history.ndjson'), { publicKeys: [inFolder('public.pem')], ...known });
}

const isCheckpoint = (line: string) => line.startsWith('{"kind":"checkpoint"');
const toCheckpoint = (line: string) => (isCheckpoint(line) ? [JSON.parse(line) as Checkpoint] : []);

const kept = () => lines.flatMap(toCheckpoint).map(({ number, hash }) => ({ number, hash }));

/** Where the entry of that number in the experiment's chain stands. */
const placeOf = (sequence: number) =>
  lines.findIndex((line) => line.includes(`"chain":"experiment","chain_id":${experiment},"sequence":${sequence},`));

const verify = (known: Partial<Known> = {}) =>
  verifyDatabase(environment(), { publicKeys: [inFolder('public.pem')], ...known });

const expectNamed = async (change: (at: number) => string[], places: readonly number[]) => {
  for (const place of places) {
    const { sound, says } = await verifyLines(change(placeOf(place)));
    expect(says.join()).toMatch(new RegExp(`^Entry (${place - 1}|${place}) of experiment ${experiment}`));
    expect(sound).toBe(false);
  }
};

describe('an exported history', () => {
  it('verifies with its file and the public key', async () => {
    const { sound, says } = await verifyLines(lines);
    expect(says[0]).toMatch(/^\d+ entries in \d+ chains, 0 of them erased; \d+ checkpoints, the last of 20/);
    expect(sound).toBe(true);
    expect(await readFile(inFolder('history.ndjson'), 'utf8')).toContain('note 103');
  });

  const changes: [what: string, change: (at: number) => string[]][] = [
    ['a value changed', (at: number) => lines.with(at, lines[at]?.replace('"note ', '"other ') ?? '')],
    ['a line removed', (at: number) => lines.toSpliced(at, 1)],
    ['two lines swapped', (at: number) => lines.with(at, lines[at + 1] ?? '').with(at + 1, lines[at] ?? '')],
    ['a line twice', (at: number) => lines.toSpliced(at, 0, lines[at - 1] ?? '')],
    ['a hash changed', (at: number) => lines.with(at, lines[at]?.replace(/"hash":"./, '"hash":"-') ?? '')],
    ['a key changed', (at: number) => lines.with(at, lines[at]?.replace(/"key":"./, '"key":"-') ?? '')],
  ];

  it.each(changes)('names the entry at ten places: %s', (_what, change) => expectNamed(change, ten));
  it.each(changes)('names the entry at a hundred places: %s', { tags: ['nightly'] }, (_what, change) =>
    expectNamed(change, hundred),
  );

  it('of which the end is missing is cut off, whether a chain ends there or not', async () => {
    expect(await verifyLines(lines.slice(0, -1))).toMatchObject({ says: [expect.stringContaining('cut off')] });
    const within = await verifyLines(lines.slice(0, placeOf(4)));
    expect(within.says[0]).toMatch(
      new RegExp(`^Entry 4 of experiment ${experiment}: The entry is missing: checkpoint`),
    );
  });

  it('that somebody else signed does not pass', async () => {
    await writeFile(inFolder('other.pem'), publicPem(createCheckpointKey()));
    const { sound, says } = await verifyLines(lines, { publicKeys: [inFolder('other.pem')] });
    expect(says[0]).toMatch(/^Checkpoint 1: It was signed with another key/);
    expect(sound).toBe(false);
  });

  it('that two keys signed, one after the other, needs both (V11.2.2)', async () => {
    const next = createCheckpointKey();
    await writeFile(inFolder('next.pem'), publicPem(next));
    const last = lines.flatMap(toCheckpoint).at(-1);
    const added = signCheckpoint(last, { at: '2026-11-15T08:30:00.120Z', heads: [] }, readCheckpointKey(next));
    const [checkpoints, end] = [lines.filter(isCheckpoint).length, JSON.parse(lines.at(-1) ?? '')];
    const both = [
      ...lines.slice(0, checkpoints + 1),
      `${JSON.stringify({ kind: 'checkpoint', ...added })}\n`,
      ...lines.slice(checkpoints + 1, -1),
      `${JSON.stringify({ ...end, checkpoints: checkpoints + 1 })}\n`,
    ];
    const keys = [inFolder('public.pem'), inFolder('next.pem')];
    expect(await verifyLines(both, { publicKeys: keys })).toMatchObject({ sound: true });
    for (const [index, number] of [checkpoints + 1, 1].entries()) {
      const { says } = await verifyLines(both, { publicKeys: keys.slice(index, index + 1) });
      expect(says[0]).toContain(`Checkpoint ${number}: It was signed with another key`);
    }
  });

  it('in which nothing is signed does not pass, unless that is allowed', async () => {
    const end = { ...JSON.parse(lines.at(-1) ?? ''), checkpoints: 0 };
    const unsigned = [...lines.slice(0, -1).filter((line) => !isCheckpoint(line)), `${JSON.stringify(end)}\n`];
    expect(await verifyLines(unsigned)).toEqual({
      sound: false,
      says: [expect.stringMatching(/^There is no checkpoint/)],
    });
    expect(await verifyLines(unsigned, { allowUnsigned: true })).toMatchObject({
      sound: true,
      says: [expect.stringContaining('; 0 checkpoints, the last of never'), expect.any(String)],
    });
  });

  it('is told from any other file', async () => {
    expect(await verifyLines(['{"kind":"other"}\n'])).toMatchObject({ says: ['This is not an exported history.'] });
  });
});

describe('a checkpoint that was kept', () => {
  it('is told to whoever verifies, and is there the next time', async () => {
    const last = kept().at(-1);
    const { says } = await verifyLines(lines);
    expect(says).toContainEqual(expect.stringContaining(`--checkpoint ${last?.number}:${last?.hash}`));
    expect(await verifyLines(lines, { checkpoints: kept() })).toMatchObject({ sound: true });
    expect(await verify({ checkpoints: kept() })).toMatchObject({ sound: true });
  });

  it('is missed when checkpoints were removed from the end, or written anew', async () => {
    const removed = { number: kept().length + 1, hash: 'ab'.repeat(32) };
    for (const { sound, says } of [
      await verifyLines(lines, { checkpoints: [removed] }),
      await verify({ checkpoints: [removed] }),
    ]) {
      expect(says).toEqual([
        `Checkpoint ${removed.number}: It was kept and is not there: checkpoints were removed from the end.`,
      ]);
      expect(sound).toBe(false);
    }
    const { says } = await verify({ checkpoints: [{ ...removed, number: 1 }] });
    expect(says).toEqual(['Checkpoint 1: It is not the one that was kept: checkpoints were written anew.']);
  });
});

describe('the history in the database', () => {
  it('tells a hundred times that an experiment was put elsewhere behind its back', async () => {
    const states = await server.sql<{ id: number; state: number }>(
      'select id::int, state_id::int as state from experiments order by id',
    );
    expect(states).toHaveLength(100);
    expect(await verify()).toMatchObject({ sound: true });
    const put = (id: number, by: number) =>
      server.sql('update experiments set state_id = state_id + $2 where id = $1', [id, by]);
    for (const { id, state } of states) {
      await put(id, 1);
      expect(await findStrayState(server.database.db)).toEqual({ id, state_id: state + 1, recorded: state });
      await put(id, -1);
    }
    await put(experiment, 1);
    const state = states.find(({ id }) => id === experiment)?.state ?? 0;
    const says = [`Experiment ${experiment} is in state ${state + 1}, and its history ends in state ${state}.`];
    expect(await verify()).toEqual({ sound: false, says });
    await put(experiment, -1);
  });
});
