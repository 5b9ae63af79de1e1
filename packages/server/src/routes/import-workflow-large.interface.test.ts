/** The import of the largest definition that is promised (200 states, 2,000 transitions): in time, holding up nobody. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedLargeWorkflow, largeWorkflow } from '../../testing/large-workflow.ts';
import { leastCosts } from '../../testing/least-work.ts';
import { longestTurn } from '../../testing/longest-turn.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** New, the same again, and with every callback and 200 transitions changed. */
const imports = (label: string): [file: string, status: number][] => [
  [largeWorkflow(label), 201],
  [largeWorkflow(label), 200],
  [changedLargeWorkflow(label), 200],
];

async function costs(label: string): Promise<number[]> {
  const found: number[] = [];
  for (const [workflow_definition, expected] of imports(label)) {
    const cost = await longestTurn(async () => {
      expect((await server.call('importWorkflow', { body: { workflow_definition } })).status).toBe(expected);
    });
    found.push(cost);
  }
  return found;
}

const longestMs = 50;

describe('a definition of 200 states and 2,000 transitions', () => {
  it('is imported, again and changed, with no turn of the event loop over 50 ms', async () => {
    let rounds = 0;
    const cost = await leastCosts({ first: longestMs, again: longestMs, changed: longestMs }, async () => {
      const [first = Infinity, again = Infinity, changed = Infinity] = await costs(`large ${++rounds}`);
      return { first, again, changed };
    });
    expect(Object.values(cost).filter((ms) => ms >= longestMs)).toEqual([]);
    const [count] = await server.sql(
      `select count(*)::int as transitions, (select max(current_version) from callbacks) as version
       from transitions where kind = 'defined'`,
    );
    expect(count).toEqual({ transitions: 2000 * rounds, version: 2 });
  });
});
