/**
 * import-workflow with an existing label: the same definition changes nothing, a different one upgrades the workflow in place.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { wholeWorkflow as whole } from '../../../../definitions/testing/whole-workflow.ts';
import { importSnapshot, partsOf, activeNames } from '../../../testing/workflow-parts.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const post = (workflow_definition: string) => server.call('importWorkflow', { body: { workflow_definition } });

const cycle = (initial: string) =>
  `label: cycle\ninitial: ${initial}\nstates:\n  - {label: a, transitions: [{destination: b}]}\n  - {label: b, transitions: [{destination: a}]}\n`;

describe('an import with an existing label', () => {
  it('returns 200 and changes nothing if the definition is the same, even if it is formatted differently', async () => {
    const { body: first } = await post(whole('same'));
    const before = await importSnapshot(server);
    const rewritten = whole('same')
      .replace('# with a comment', '# with another comment')
      .replace('initial_delay: 5', 'initial_delay:   5\n        wait_timeout: 0');
    for (const file of [whole('same'), rewritten]) {
      const { status, body } = await post(file);
      expect([status, body]).toEqual([200, { ...first, outcome: 'identical' }]);
    }
    expect(await importSnapshot(server)).toEqual(before);
  });

  it('returns 200, upgrades the workflow in place and keeps the ids of its parts', async () => {
    await post(whole('changed'));
    const before = await partsOf(server, 'changed');
    const file = whole('changed')
      .replace('Scans are in', 'Scans are in the archive')
      .replace("result == 'success'", "result != 'failed'")
      .replace('initial_delay: 5', 'initial_delay: 6')
      .replace('  - label: rejected', '  - {label: archived}\n  - label: rejected')
      .replace('      - {destination: rejected', '      - {destination: archived}\n      - {destination: rejected');
    const { status, body } = await post(file);
    expect([status, body.outcome, body.revision]).toEqual([200, 'changed', 2]);
    const after = await partsOf(server, 'changed');
    expect(
      after.states.map(({ id, label, position }) => [label, position, before.states.some((state) => state.id === id)]),
    ).toEqual([
      ['arrived', 0, true],
      ['processed', 1, true],
      ['rejected', 3, true],
      ['archived', 2, false],
    ]);
    expect(after.states[0]?.freetext).toBe('Scans are in the archive');
    expect(
      after.callbacks.map(({ id, version, settings }) => [
        id,
        version,
        settings['initial_delay'],
        settings['workflow_revision'],
      ]),
    ).toEqual([[before.callbacks[0]?.id, 2, 6, 2]]);
    expect(after.transitions.slice(0, 3).map(({ id }) => id)).toEqual(before.transitions.map(({ id }) => id));
    expect(after.transitions.map(({ name, condition, position }) => [name, condition, position])).toEqual([
      ['defined arrived -> processed 1', "callbacks['check'].result != 'failed'", 0],
      ['defined arrived -> rejected 1', '', 2],
      ['entry arrived -> arrived 1', '', 0],
      ['defined arrived -> archived 1', '', 1],
    ]);
  });

  it('retires removed parts and revives them with the same id when they return', async () => {
    await post(whole('returns'));
    const before = await partsOf(server, 'returns');
    const { body } = await post('label: returns\nstates: [{label: arrived}]\n');
    expect([body.outcome, body.revision]).toEqual(['changed', 2]);
    const gone = await partsOf(server, 'returns');
    expect([activeNames(gone.states), activeNames(gone.callbacks), activeNames(gone.transitions)]).toEqual([
      ['arrived'],
      [],
      ['entry arrived -> arrived 1'],
    ]);
    expect(gone.states.map(({ id }) => id)).toEqual(before.states.map(({ id }) => id));

    expect((await post(whole('returns'))).body).toMatchObject({ outcome: 'changed', revision: 3 });
    // A callback that returns unchanged needs no new version.
    expect(await partsOf(server, 'returns')).toEqual(before);
    const text = whole('returns').replace('initial_delay: 5', 'initial_delay: 7');
    await post('label: returns\nstates: [{label: arrived}]\n');
    await post(text);
    const [callback] = (await partsOf(server, 'returns')).callbacks;
    expect(callback).toMatchObject({
      id: before.callbacks[0]?.id,
      version: 2,
      settings: { initial_delay: 7, workflow_revision: 5 },
    });
  });

  it('adds an entry transition for a new initial state and keeps the old entry transition', async () => {
    await post(cycle('a'));
    expect((await post(cycle('b'))).body).toMatchObject({ outcome: 'changed', revision: 2 });
    const names = activeNames((await partsOf(server, 'cycle')).transitions);
    expect(names).toEqual(['defined a -> b 1', 'defined b -> a 1', 'entry a -> a 1', 'entry b -> b 1']);
    const [start] = await server.sql(
      "select states.label from workflows join states on states.id = initial_state_id where workflows.label = 'cycle'",
    );
    expect(start).toEqual({ label: 'b' });
    expect((await post(cycle('a'))).body).toMatchObject({ outcome: 'changed', revision: 3 });
    expect(activeNames((await partsOf(server, 'cycle')).transitions)).toEqual(names);
  });
});
