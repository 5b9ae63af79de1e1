/** Hostile definition files: that they reach nothing, and that none holds up a turn. How others meet them is tried beside. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handWrittenDocuments, hostileDocument } from '../../testing/hostile/documents.ts';
import { setTraps, type Traps } from '../../testing/hostile/host-traps.ts';
import { leastWork } from '../../testing/least-work.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { largestInline } from '../engine/documents/read-yaml.ts';
import { readDefinitionFile } from '../engine/definitions/read-definition-file.ts';

const longestTurnMs = 50;
const seed = Number(process.env['MILEPOST_TEST_SEED'] ?? 1);

let server: TestServer;
let traps: Traps;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function send(text: string): Promise<number> {
  return (await server.call('importWorkflow', { body: { workflow_definition: text } })).status;
}

describe('hostile documents', () => {
  it.each(handWrittenDocuments)('%s, as long as is read at once, is refused within a turn', (_about, text) => {
    const { result, ms } = leastWork(longestTurnMs, () => readDefinitionFile(text.slice(0, largestInline), '/x'));
    expect(result.faults).not.toEqual([]);
    expect(ms).toBeLessThan(longestTurnMs);
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

  it.each(handWrittenDocuments)('%s: refused, and reaches nothing', async (_about, text) => {
    expect(await send(text)).toBe(400);
    // The long ones were read in a thread, out of our sight.
    expect(readDefinitionFile(text, '/x').faults).not.toEqual([]);
    expect([traps.reached(), traps.changed()]).toEqual([0, []]);
  });

  it(`500 generated ones, with seed ${seed}, reach nothing`, async () => {
    for (const text of fc.sample(hostileDocument, { numRuns: 500, seed })) expect(await send(text)).toBeLessThan(500);
    expect([traps.reached(), traps.changed()]).toEqual([0, []]);
  });
});
