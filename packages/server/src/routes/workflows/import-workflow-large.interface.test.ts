/** Imports the largest supported definition, 200 states and 2,000 transitions, without blocking other requests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedLargeWorkflow, largeWorkflow } from '../../../testing/rows/large-workflow.ts';
import { longestTurn } from '../../../testing/measure/longest-turn.ts';
import { statementsDuring } from '../../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { threadInputsDuring } from '../../../testing/measure/thread-inputs.ts';
import { planImport, readDefinitionFile } from '@milepost/definitions';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const importing = async (workflow_definition: string, expected: number) => {
  const { status } = await server.call('importWorkflow', { body: { workflow_definition } });
  expect(status).toBe(expected);
};

/** A new definition, the same again, and one with every callback and 200 transitions changed. */
const imports = (label: string): [file: string, status: number][] => [
  [largeWorkflow(label), 201],
  [largeWorkflow(label), 200],
  [changedLargeWorkflow(label), 200],
];

/** The layout is computed after the response, with statements of its own. */
async function waitForLayout(label: string): Promise<void> {
  const missing = () => server.sql('select from workflows where label = $1 and layout is null', [label]);
  await expect.poll(missing).toEqual([]);
}

/** Counts the turns of the event loop during the work. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  await work();
  clearImmediate(next);
  return turns;
}

describe('a definition of 200 states and 2,000 transitions', () => {
  it('can be imported, imported again and changed', async () => {
    for (const [file, status] of imports('whole')) await importing(file, status);
    const [count] = await server.sql(
      `select count(*)::int as transitions, (select max(current_version) from callbacks) as version
       from transitions where kind = 'defined'`,
    );
    expect(count).toEqual({ transitions: 2000, version: 2 });
    await waitForLayout('whole');
  });

  it('is imported with at most 25 statements', async () => {
    for (const [file, status] of imports('counted')) {
      expect((await statementsDuring(() => importing(file, status), /./)).length).toBeLessThanOrEqual(25);
      await waitForLayout('counted');
    }
  });

  it('is parsed in a thread', async () => {
    const file = largeWorkflow('threaded');
    const inputs = await threadInputsDuring(() => importing(file, 201));
    expect(inputs).toContainEqual({ text: file, pointer: '/workflow_definition' });
  });

  it('is planned in several turns of the event loop', async () => {
    const { definition } = readDefinitionFile(largeWorkflow('planned'), '');
    if (!definition) throw new Error('the definition is invalid');
    expect(await turnsDuring(() => planImport(undefined, definition))).toBeGreaterThanOrEqual(4);
  });

  it(
    'is imported within 2 s and blocks the event loop for less than 50 ms at a time',
    { tags: ['nightly'] },
    async () => {
      for (const [file, status] of imports('timed')) {
        const begun = performance.now();
        expect(await longestTurn(() => importing(file, status))).toBeLessThan(50);
        expect(performance.now() - begun).toBeLessThan(2000);
      }
    },
  );
});
