/**
 * Titles, colours, outcomes and decisions of a workflow file: stored, shown, upgraded and written again.
 *
 * @module-tag sql
 */
import { readDefinitionFile } from '@milepost/definitions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { partsOf } from '../../../testing/workflow-parts.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const file = (label: string, look = '', title = '') => `label: ${label}
initial: qc
states:
  - label: qc
    ${look}
    callbacks: [{label: render, function: http, callback_arguments: {url: "http://x"}}]
    transitions: [{destination: done, by: person${title}}]
  - {label: done, outcome: good}
`;
const look =
  'title: Visual QC\n    colour: "#d97706"\n    decision: {due: 3d, show: [{variable: motion, max: 1.2, unit: mm}], ' +
  'fields: [{variable: grade, type: choice, choices: [z, a]}]}';
const decision = {
  due: '3d',
  show: [{ variable: 'motion', title: 'motion', unit: 'mm', min: null, max: 1.2 }],
  fields: [
    { variable: 'grade', title: 'grade', type: 'choice', required: false, choices: ['z', 'a'], min: null, max: null },
  ],
};

const importText = async (workflow_definition: string) => {
  const { body } = await server.call('importWorkflow', { body: { workflow_definition } });
  return body;
};
const graphOf = async (id: number) => (await server.call('getWorkflowGraph', { params: { id } })).body;

describe('the look of states', () => {
  it('is shown by the graph, the state and the transition', async () => {
    const { id, warnings } = await importText(file('shown', look, ', title: Accept'));
    expect(warnings).toEqual([]);
    const { states, transitions } = await graphOf(id);
    const written = { title: 'Visual QC', colour: '#d97706', outcome: null, decision };
    expect(states).toMatchObject([written, { title: 'done', colour: null, outcome: 'good', decision: null }]);
    expect(transitions).toMatchObject([{ title: 'Accept' }]);
    const state = await server.call('getState', { params: { id: states[0].id } });
    expect(state.body).toMatchObject(written);
    const transition = await server.call('getTransition', { params: { id: transitions[0].id } });
    expect(transition.body).toMatchObject({ title: 'Accept' });
  });

  it('is upgraded by an import, and the same file changes nothing', async () => {
    const { id } = await importText(file('upgraded'));
    expect(await importText(file('upgraded', look, ', title: Accept'))).toMatchObject({
      outcome: 'changed',
      revision: 2,
    });
    expect(await importText(file('upgraded', look, ', title: Accept'))).toMatchObject({ outcome: 'identical' });
    expect(await importText(file('upgraded', look))).toMatchObject({ outcome: 'changed', revision: 3 });
    expect((await graphOf(id)).transitions).toMatchObject([{ title: null }]);
    expect(await importText(file('upgraded'))).toMatchObject({ outcome: 'changed', revision: 4 });
    expect((await graphOf(id)).states).toMatchObject([{ title: 'qc', decision: null }, {}]);
  });

  it('is part of the revision that a changed callback writes', async () => {
    const { id } = await importText(file('written', look, ', title: Accept'));
    const { callbacks } = await partsOf(server, 'written');
    await server.call('updateCallback', { params: { id: callbacks[0]?.id ?? 0 }, body: { run_timeout: 5 } });
    const [row] = await server.sql<{ definition: string }>(
      'select definition from workflow_revisions where workflow_id = $1 and revision = 2',
      [id],
    );
    const { definition } = readDefinitionFile(row?.definition ?? '', '');
    expect(definition?.states).toMatchObject([
      { title: 'Visual QC', decision, transitions: [{ title: 'Accept' }] },
      {},
    ]);
    expect(await importText(row?.definition ?? '')).toMatchObject({ outcome: 'identical' });
  });
});

const kinds = `label: kinds
initial: arrived
states:
  - {label: arrived, title: Arrived, colour: "#0f766e", transitions: [{destination: qc}]}
  - {label: qc, transitions: [{destination: good, by: person}, {destination: bad, by: person}]}
  - {label: rest, decision: {due: 3d}, transitions: [{destination: left}]}
  - {label: good, outcome: good}
  - {label: bad, outcome: bad}
  - {label: left}
`;
const looksOf = async (workflowId: number) => {
  const { body } = await server.call('getStateLooks');
  const own = (body.states as { workflow_id: number; title: string; colour: string | null; kind: string }[]).filter(
    ({ workflow_id }) => workflow_id === workflowId,
  );
  return own.map(({ title, colour, kind }) => [title, colour, kind]);
};

describe('the looks of all states', () => {
  it('have the title, the colour of the file and the kind of each state, and change with an import', async () => {
    const { id } = await importText(kinds);
    expect(await looksOf(id)).toEqual([
      ['Arrived', '#0f766e', 'open'],
      ['qc', null, 'decision'],
      ['rest', null, 'decision'],
      ['good', null, 'good'],
      ['bad', null, 'bad'],
      ['left', null, 'neutral'],
    ]);
    await importText(kinds.replace('{label: left}', '{label: left, title: Left, outcome: bad}'));
    expect((await looksOf(id)).at(-1)).toEqual(['Left', null, 'bad']);
  });

  it('list retired states last, and not as final ones', async () => {
    const { id } = await importText(kinds.replace('label: kinds', 'label: retiring'));
    await importText('label: retiring\ninitial: arrived\nstates: [{label: arrived}, {label: added}]');
    const looks = await looksOf(id);
    expect(looks.slice(0, 2)).toEqual([
      ['arrived', null, 'neutral'],
      ['added', null, 'neutral'],
    ]);
    expect(looks.slice(2).map(([, , kind]) => kind)).toEqual(['open', 'open', 'open', 'open', 'open']);
  });

  it('stay below 400 kB with 3,000 states, and end after 5,000', async () => {
    const { id } = await importText(kinds.replace('label: kinds', 'label: many'));
    const insert = (from: number, to: number) =>
      server.sql(
        `insert into states (workflow_id, label, title, position, retired)
         select $1, 'generated_' || n, 'A title of usual length ' || n, 100 + n, false from generate_series($2::int, $3::int) n`,
        [id, from, to],
      );
    const bytes = async () => JSON.stringify((await server.call('getStateLooks')).body).length;
    await insert(1, 3000);
    expect(await bytes()).toBeLessThan(400_000);
    await insert(3001, 6000);
    expect((await server.call('getStateLooks')).body.states).toHaveLength(5000);
  });
});
