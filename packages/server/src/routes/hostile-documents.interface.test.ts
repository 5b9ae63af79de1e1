/** Hostile definition files: they reach nothing, are answered in few words, and hold up nobody. Nightly measures the last. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countCalls, type CallCounter } from '../../testing/count-calls.ts';
import { handWrittenDocuments, hostileDocument } from '../../testing/hostile/documents.ts';
import { setTraps, type Traps } from '../../testing/hostile/host-traps.ts';
import { sampleSizes } from '../../testing/hostile/sample-sizes.ts';
import { seed } from '../../testing/seed.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { threadInputsDuring } from '../../testing/thread-inputs.ts';
import { readDefinitionFile } from '../engine/definitions/read-definition-file.ts';
import { largestInline } from '../engine/documents/read-yaml.ts';

const longestAnswer = 128 * 1024;
/** Of functions, for each character that is read. */
const mostCalls = 100;

let server: TestServer;
let traps: Traps;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function expectRefused(text: string): Promise<void> {
  const { status, body } = await server.call('importWorkflow', { body: { workflow_definition: text } });
  const shown = text.slice(0, 1_000);
  expect({ shown, status }).toEqual({ shown, status: 400 });
  expect(JSON.stringify(body).length).toBeLessThan(longestAnswer);
}

describe('hostile documents', () => {
  let counter: CallCounter;
  beforeAll(() => {
    counter = countCalls();
  });
  afterAll(() => counter.stop());

  it.each(handWrittenDocuments)('%s, as long as is read at once, is refused in few steps', (_about, text) => {
    const read = text.slice(0, largestInline);
    counter.calls();
    const { faults } = readDefinitionFile(read, '/x');
    const calls = counter.calls();
    expect(faults).not.toEqual([]);
    expect(calls / read.length).toBeLessThan(mostCalls);
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

  it.each(handWrittenDocuments)(
    '%s: refused, in a thread where it is long, and reaches nothing',
    async (_about, text) => {
      const inputs = await threadInputsDuring(() => expectRefused(text));
      expect(inputs).toEqual(text.length > largestInline ? [{ text, pointer: '/workflow_definition' }] : []);
      // The long ones were read in a thread, out of our sight.
      expect(readDefinitionFile(text, '/x').faults).not.toEqual([]);
      expect([traps.reached(), traps.changed()]).toEqual([0, []]);
    },
  );

  it(`${sampleSizes.gate} generated ones, with seed ${seed}, are refused and reach nothing`, async () => {
    for (const text of fc.sample(hostileDocument, { numRuns: sampleSizes.gate, seed })) await expectRefused(text);
    expect([traps.reached(), traps.changed()]).toEqual([0, []]);
  });
});
