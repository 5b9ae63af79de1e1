/**
 * import-workflow of a known label: the same file again changes nothing, another one upgrades in place.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { everythingImported, partsOf, living, wholeWorkflow as whole } from '../../testing/workflow-parts.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const post = (workflow_definition: string) => server.call('importWorkflow', { body: { workflow_definition } });

const circle = (initial: string) =>
  `label: circle\ninitial: ${initial}\nstates:\n  - {label: a, transitions: [{destination: b}]}\n  - {label: b, transitions: [{destination: a}]}\n`;

describe('a known label', () => {
  it('with the same definition, however it is written, changes nothing: 200', async () => {
    const { body: first } = await post(whole('same'));
    const before = await everythingImported(server);
    const rewritten = whole('same')
      .replace('# as it was written', '# otherwise')
      .replace('initial_delay: 5', 'initial_delay:   5\n        wait_timeout: 0');
    for (const file of [whole('same'), rewritten]) {
      const { status, body } = await post(file);
      expect([status, body]).toEqual([200, { ...first, outcome: 'identical' }]);
    }
    expect(await everythingImported(server)).toEqual(before);
  });

  it('with a changed one is upgraded in place: 200, every part keeps its id', async () => {
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

  it('retires what is gone, and revives it under its id when it returns', async () => {
    await post(whole('returns'));
    const before = await partsOf(server, 'returns');
    const { body } = await post('label: returns\nstates: [{label: arrived}]\n');
    expect([body.outcome, body.revision]).toEqual(['changed', 2]);
    const gone = await partsOf(server, 'returns');
    expect([living(gone.states), living(gone.callbacks), living(gone.transitions)]).toEqual([
      ['arrived'],
      [],
      ['entry arrived -> arrived 1'],
    ]);
    expect(gone.states.map(({ id }) => id)).toEqual(before.states.map(({ id }) => id));

    expect((await post(whole('returns'))).body).toMatchObject({ outcome: 'changed', revision: 3 });
    // A callback that comes back as it went needs no new version.
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

  it('with another start gives later creations another way in, and keeps the old one', async () => {
    await post(circle('a'));
    expect((await post(circle('b'))).body).toMatchObject({ outcome: 'changed', revision: 2 });
    const names = living((await partsOf(server, 'circle')).transitions);
    expect(names).toEqual(['defined a -> b 1', 'defined b -> a 1', 'entry a -> a 1', 'entry b -> b 1']);
    const [start] = await server.sql(
      "select states.label from workflows join states on states.id = initial_state_id where workflows.label = 'circle'",
    );
    expect(start).toEqual({ label: 'b' });
    expect((await post(circle('a'))).body).toMatchObject({ outcome: 'changed', revision: 3 });
    expect(living((await partsOf(server, 'circle')).transitions)).toEqual(names);
  });
});
