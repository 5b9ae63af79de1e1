/**
 * Hostile workflow files trigger no trap, get a short response and do not block the server. The nightly tests measure the
 * blocking.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countCalls, type CallCounter } from '../../../api/testing/count-calls.ts';
import { handWrittenDocuments, hostileDocument } from '../../testing/hostile/documents.ts';
import { setTraps, type Traps } from '../../../definitions/testing/host-traps.ts';
import { sampleSizes } from '../../../definitions/testing/sample-sizes.ts';
import { seed } from '../../../api/testing/seed.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { threadInputsDuring } from '../../testing/measure/thread-inputs.ts';
import { readDefinitionFile } from '@milepost/definitions';
import { maxInline } from '../../src/engine/threads/read-yaml.ts';

const maxResponseLength = 128 * 1024;
const maxCallsPerCharacter = 100;

let server: TestServer;
let traps: Traps;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function expectRejected(text: string): Promise<void> {
  // Tests read long documents in this process, too. An idle connection would be closed in the meantime.
  const headers = { connection: 'close' };
  const { status, body } = await server.call('importWorkflow', { headers, body: { workflow_definition: text } });
  const shown = text.slice(0, 1_000);
  expect({ shown, status }).toEqual({ shown, status: 400 });
  expect(JSON.stringify(body).length).toBeLessThan(maxResponseLength);
}

describe('the part of a hostile document that is read inline', () => {
  let counter: CallCounter;
  beforeAll(() => {
    counter = countCalls();
  });
  afterAll(() => counter.stop());

  it.each(handWrittenDocuments)(
    'is rejected with fewer than 100 function calls per character if the document has %s',
    (_about, text) => {
      const read = text.slice(0, maxInline);
      counter.calls();
      const { faults } = readDefinitionFile(read, '/x');
      const calls = counter.calls();
      expect(faults).not.toEqual([]);
      expect(calls / read.length).toBeLessThan(maxCallsPerCharacter);
    },
  );
});

// Last, because the traps slow down the whole process.
describe('hostile documents over HTTP', () => {
  beforeAll(() => {
    traps = setTraps();
  });
  afterAll(() => traps.remove());

  it('include at least 20 different handwritten documents', () => {
    expect(new Set(handWrittenDocuments.map(([, text]) => text)).size).toBe(handWrittenDocuments.length);
    expect(handWrittenDocuments.length).toBeGreaterThanOrEqual(20);
  });

  it.each(handWrittenDocuments)(
    'with %s are rejected, in a thread if they are long, and trigger no trap',
    async (_about, text) => {
      const inputs = await threadInputsDuring(() => expectRejected(text));
      expect(inputs).toEqual(text.length > maxInline ? [{ text, pointer: '/workflow_definition' }] : []);
      // Long documents were read in a thread, which the traps do not cover.
      expect(readDefinitionFile(text, '/x').faults).not.toEqual([]);
      expect([traps.reached(), traps.changed()]).toEqual([0, []]);
    },
  );

  it(`generated with seed ${seed} (${sampleSizes.gate} documents) are rejected and trigger no trap`, async () => {
    for (const text of fc.sample(hostileDocument, { numRuns: sampleSizes.gate, seed })) await expectRejected(text);
    expect([traps.reached(), traps.changed()]).toEqual([0, []]);
  });
});
