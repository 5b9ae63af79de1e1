/** Exporting the history, and verifying an export and a database. */
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
import { findStateMismatch } from '../store/record/chained-history.ts';
import { exportHistory, verifyDatabase, verifyFile, type Known } from './history.ts';

let server: TestServer;
let folder: string;
let experiment: number;
let lines: string[];
const pem = createCheckpointKey();
/** Entries in the middle of a signed chain: the nightly tests use all of them, the gate every tenth. */
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

/** The line with this entry of the experiment's chain. */
const lineOf = (sequence: number) =>
  lines.findIndex((line) => line.includes(`"chain":"experiment","chain_id":${experiment},"sequence":${sequence},`));

const verify = (known: Partial<Known> = {}) =>
  verifyDatabase(environment(), { publicKeys: [inFolder('public.pem')], ...known });

const expectNamed = async (change: (at: number) => string[], sequences: readonly number[]) => {
  for (const sequence of sequences) {
    const { valid, messages } = await verifyLines(change(lineOf(sequence)));
    expect(messages.join()).toMatch(new RegExp(`^Entry (${sequence - 1}|${sequence}) of experiment ${experiment}`));
    expect(valid).toBe(false);
  }
};

describe('the verification of an exported history', () => {
  it('needs only the file and the public key', async () => {
    const { valid, messages } = await verifyLines(lines);
    expect(messages[0]).toMatch(/^Verified\. Entries: \d+ in \d+ chains \(0 erased\)\. Checkpoints: \d+ \(latest: 20/);
    expect(valid).toBe(true);
    expect(await readFile(inFolder('history.ndjson'), 'utf8')).toContain('note 103');
  });

  const changes: [name: string, change: (at: number) => string[]][] = [
    ['a changed value', (at: number) => lines.with(at, lines[at]?.replace('"note ', '"other ') ?? '')],
    ['a removed line', (at: number) => lines.toSpliced(at, 1)],
    ['two swapped lines', (at: number) => lines.with(at, lines[at + 1] ?? '').with(at + 1, lines[at] ?? '')],
    ['a repeated line', (at: number) => lines.toSpliced(at, 0, lines[at - 1] ?? '')],
    ['a changed hash', (at: number) => lines.with(at, lines[at]?.replace(/"hash":"./, '"hash":"-') ?? '')],
    ['a changed key', (at: number) => lines.with(at, lines[at]?.replace(/"key":"./, '"key":"-') ?? '')],
  ];

  it.each(changes)('detects %s at each of 10 entries and names the entry', (_name, change) => expectNamed(change, ten));
  it.each(changes)('detects %s at each of 100 entries and names the entry', { tags: ['nightly'] }, (_name, change) =>
    expectNamed(change, hundred),
  );

  it('fails if the file is cut off, even if only the last line is missing', async () => {
    expect(await verifyLines(lines.slice(0, -1))).toMatchObject({ messages: [expect.stringContaining('cut off')] });
    const within = await verifyLines(lines.slice(0, lineOf(4)));
    expect(within.messages[0]).toMatch(
      new RegExp(`^Entry 4 of experiment ${experiment}: The entry is missing. Checkpoint`),
    );
  });

  it('fails if another key signed the checkpoints', async () => {
    await writeFile(inFolder('other.pem'), publicPem(createCheckpointKey()));
    const { valid, messages } = await verifyLines(lines, { publicKeys: [inFolder('other.pem')] });
    expect(messages[0]).toMatch(/^Checkpoint 1: The checkpoint was signed with an unknown key/);
    expect(valid).toBe(false);
  });

  it('needs both public keys after the signing key was replaced (V11.2.2)', async () => {
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
    expect(await verifyLines(both, { publicKeys: keys })).toMatchObject({ valid: true });
    for (const [index, number] of [checkpoints + 1, 1].entries()) {
      const { messages } = await verifyLines(both, { publicKeys: keys.slice(index, index + 1) });
      expect(messages[0]).toContain(`Checkpoint ${number}: The checkpoint was signed with an unknown key`);
    }
  });

  it('fails without any checkpoint, unless unsigned histories are allowed', async () => {
    const end = { ...JSON.parse(lines.at(-1) ?? ''), checkpoints: 0 };
    const unsigned = [...lines.slice(0, -1).filter((line) => !isCheckpoint(line)), `${JSON.stringify(end)}\n`];
    expect(await verifyLines(unsigned)).toEqual({
      valid: false,
      messages: [expect.stringMatching(/^The history has no checkpoints/)],
    });
    expect(await verifyLines(unsigned, { allowUnsigned: true })).toMatchObject({
      valid: true,
      messages: [expect.stringContaining('Checkpoints: 0 (latest: none)'), expect.any(String)],
    });
  });

  it('rejects a file that is not a history export', async () => {
    expect(await verifyLines(['{"kind":"other"}\n'])).toMatchObject({ messages: ['This is not a history export.'] });
  });
});

describe('a saved checkpoint', () => {
  it('is printed by one verification and accepted by the next', async () => {
    const last = kept().at(-1);
    const { messages } = await verifyLines(lines);
    expect(messages).toContainEqual(expect.stringContaining(`--checkpoint ${last?.number}:${last?.hash}`));
    expect(await verifyLines(lines, { checkpoints: kept() })).toMatchObject({ valid: true });
    expect(await verify({ checkpoints: kept() })).toMatchObject({ valid: true });
  });

  it('reveals that checkpoints were removed from the end or rewritten', async () => {
    const removed = { number: kept().length + 1, hash: 'ab'.repeat(32) };
    for (const { valid, messages } of [
      await verifyLines(lines, { checkpoints: [removed] }),
      await verify({ checkpoints: [removed] }),
    ]) {
      expect(messages).toEqual([
        `Checkpoint ${removed.number}: This known checkpoint is missing. Checkpoints were removed from the end.`,
      ]);
      expect(valid).toBe(false);
    }
    const { messages } = await verify({ checkpoints: [{ ...removed, number: 1 }] });
    expect(messages).toEqual(['Checkpoint 1: The checkpoint differs from the known one. Checkpoints were rewritten.']);
  });
});

describe('the verification of the history in the database', () => {
  it('detects a state that was changed without a history entry, for each of 100 experiments', async () => {
    const states = await server.sql<{ id: number; state: number }>(
      'select id::int, state_id::int as state from experiments order by id',
    );
    expect(states).toHaveLength(100);
    expect(await verify()).toMatchObject({ valid: true });
    const shift = (id: number, by: number) =>
      server.sql('update experiments set state_id = state_id + $2 where id = $1', [id, by]);
    for (const { id, state } of states) {
      await shift(id, 1);
      expect(await findStateMismatch(server.database.db, () => undefined)).toEqual({
        id,
        state_id: state + 1,
        recorded: state,
      });
      await shift(id, -1);
    }
    await shift(experiment, 1);
    const state = states.find(({ id }) => id === experiment)?.state ?? 0;
    const messages = [`Experiment ${experiment} is in state ${state + 1}, but its history ends in state ${state}.`];
    expect(await verify()).toEqual({ valid: false, messages });
    await shift(experiment, -1);
  });
});
