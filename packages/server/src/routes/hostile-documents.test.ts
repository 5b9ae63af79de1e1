/** Hostile definition files: refused in time, in sentences that end, without holding up others. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handWrittenDocuments, hostileDocument } from '../../testing/hostile/documents.ts';
import { setTraps, type Traps } from '../../testing/hostile/host-traps.ts';
import { leastWork } from '../../testing/least-work.ts';
import { longestTurn } from '../../testing/longest-turn.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { largestInline } from '../engine/documents/read-yaml.ts';
import { readDefinitionFile } from '../engine/definitions/read-definition-file.ts';

const longestTurnMs = 50;
const longestMs = 1_000;
const mostRounds = 5;
const longestAnswer = 128 * 1024;
const seed = Number(process.env['MILEPOST_TEST_SEED'] ?? 1);

let server: TestServer;
let traps: Traps;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function send(text: string) {
  let status = 0;
  const turn = await longestTurn(async () => {
    const { status: answered, body } = await server.call('importWorkflow', { body: { workflow_definition: text } });
    expect(JSON.stringify(body).length).toBeLessThan(longestAnswer);
    status = answered;
  });
  return { status, turn };
}

/** The least of some rounds: what a busy machine adds to one turn it seldom adds to the same of the next round. */
async function leastOf(text: string) {
  let least = { status: 0, turn: Infinity };
  for (let round = 0; round < mostRounds && least.turn >= longestTurnMs; round++) {
    const { status, turn } = await send(text);
    least = { status: Math.max(status, least.status), turn: Math.min(turn, least.turn) };
  }
  return least;
}

function expectReadInATurn(text: string): void {
  const { result, ms } = leastWork(longestTurnMs, () => readDefinitionFile(text, '/x'));
  expect(ms).toBeLessThan(longestTurnMs);
  expect(result.definition === undefined).toBe(result.faults.length > 0);
}

describe('hostile documents', () => {
  it.each(handWrittenDocuments)('%s: read with less than 1 s of work', (_about, text) => {
    const { result, ms } = leastWork(longestMs, () => readDefinitionFile(text, '/x'));
    expect(result.faults).not.toEqual([]);
    expect(ms).toBeLessThan(longestMs);
  });

  it.each(handWrittenDocuments)('%s, as long as is read at once, is refused within a turn', (_about, text) => {
    const { result, ms } = leastWork(longestTurnMs, () => readDefinitionFile(text.slice(0, largestInline), '/x'));
    expect(result.faults).not.toEqual([]);
    expect(ms).toBeLessThan(longestTurnMs);
  });

  it(`10,000 generated ones, with seed ${seed}, are read or refused within a turn`, () => {
    fc.assert(fc.property(hostileDocument, expectReadInATurn), { numRuns: 10_000, seed: seed + 1 });
  });
});

// Last, as the traps make everything in the process slower.
describe('hostile documents over the interface', () => {
  beforeAll(() => {
    traps = setTraps();
  });
  afterAll(() => traps.remove());

  it('are twenty and more by hand', () => {
    expect(new Set(handWrittenDocuments.map(([, text]) => text)).size).toBe(handWrittenDocuments.length);
    expect(handWrittenDocuments.length).toBeGreaterThanOrEqual(20);
  });

  it.each(handWrittenDocuments)('%s: refused, with no turn over 50 ms', async (_about, text) => {
    const { status, turn } = await leastOf(text);
    expect(status).toBe(400);
    expect(turn).toBeLessThan(longestTurnMs);
    expect([traps.reached(), traps.changed()]).toEqual([0, []]);
  });

  it(`500 generated ones, with seed ${seed}: no 5xx, no turn over 50 ms`, async () => {
    for (const text of fc.sample(hostileDocument, { numRuns: 500, seed })) {
      const { status, turn } = await leastOf(text);
      expect({ text, fine: status < 500 && turn < longestTurnMs, status, turn }).toMatchObject({ fine: true });
    }
    expect([traps.reached(), traps.changed()]).toEqual([0, []]);
  });
});
