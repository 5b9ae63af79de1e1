/**
 * `variables` of PUT /experiments/{id}/state: the answers to the fields of a decision.
 *
 * @module-tag sql
 */
import { describe, expect, it } from 'vitest';
import { startEngineWorld } from '../../../testing/start-engine-world.ts';

const { server, world } = await startEngineWorld();

const states = `initial: qc
states:
  - label: qc
    decision:
      fields:
        - {variable: quality, type: choice, choices: [good, poor], required: true}
        - {variable: rating, type: number, min: 1, max: 5}
        - {variable: artefact, type: yes_no}
        - {variable: remark, type: text}
    transitions:
      - {destination: accepted, by: person, condition: "experiment.variables['quality'] == 'good'"}
      - {destination: plain, by: person}
  - {label: plain, transitions: [{destination: accepted, by: person}]}
  - {label: accepted}
`;

const answers = { quality: 'good', rating: 4, artefact: false, remark: 'sharp' };

describe('PUT /experiments/{id}/state with variables', () => {
  it('stores the answers in the same move and in its history entry, and conditions read them', async () => {
    const id = await world.experimentIn(states);
    const { status } = await world.move(id, 'accepted', { variables: answers });
    expect(status).toBe(200);
    expect(await world.variablesOf(id)).toEqual(answers);
    const { body } = await server.call('listExperimentHistory', { params: { id } });
    const entry = body.history.find(({ operation }: { operation: string }) => operation === 'setExperimentState');
    expect(entry.after).toMatchObject({ state: 'accepted', variables: answers });
    const events = await server.sql<{ data: object }>(
      `select data from events where kind = 'setExperimentState' and object_id = $1`,
      [id],
    );
    expect(events).toMatchObject([{ data: { state: 'accepted' } }]);
    expect(JSON.stringify(events)).not.toContain('sharp');
    const versions = await server.sql<{ version: number }>('select version::int from experiments where id = $1', [id]);
    expect(versions).toEqual([{ version: 2 }]);
  });

  it.each([
    ['without a required answer', { rating: 4 }, 'quality', 'is required to leave qc'],
    ['with null for a required answer', { quality: null }, 'quality', 'is required'],
    ['with an unknown choice', { quality: 'fine' }, 'quality', 'must be one of good, poor'],
    ['with text for a number', { quality: 'good', rating: '4' }, 'rating', 'must be a number'],
    ['with a number below its minimum', { quality: 'good', rating: 0 }, 'rating', 'must be at least 1'],
    ['with a number above its maximum', { quality: 'good', rating: 6 }, 'rating', 'must be at most 5'],
    ['with text for yes or no', { quality: 'good', artefact: 'no' }, 'artefact', 'must be true or false'],
    ['with a number for text', { quality: 'good', remark: 1 }, 'remark', 'must be text'],
    ['with too long a text', { quality: 'good', remark: 'x'.repeat(1001) }, 'remark', 'at most 1000 characters'],
    ['with null for an unknown name', { quality: 'good', ratin: null }, 'ratin', 'Did you mean "rating"?'],
    ['with an unknown name', { quality: 'good', ratin: 1 }, 'ratin', 'Did you mean "rating"?'],
  ])('is rejected %s, and nothing is stored', async (_what, variables, name, detail) => {
    const id = await world.experimentIn(states);
    const { status, body } = await world.move(id, 'plain', { variables });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(body.errors).toMatchObject([{ pointer: `/variables/${name}`, detail: expect.stringContaining(detail) }]);
    expect([await world.stateOf(id), await world.variablesOf(id)]).toEqual(['qc', {}]);
  });

  it('reads the stored value of a variable if its answer is null', async () => {
    const id = await world.experimentIn(`initial: qc
states:
  - label: qc
    decision: {fields: [{variable: score, type: number}]}
    transitions:
      - {destination: end, by: person, condition: "experiment.variables['score'] != 3 && experiment.variables['locked'] != true"}
      - {destination: other, by: person}
  - {label: other, transitions: [{destination: qc, by: person}]}
  - {label: end}
`);
    await server.call('setExperimentVariable', {
      params: { id, name: 'locked' },
      body: { value: true, reason: 'locked by hand' },
    });
    await world.move(id, 'other', { variables: { score: 3 } });
    await world.move(id, 'qc');
    for (const variables of [{ score: null }, { score: 4, locked: null }]) {
      expect((await world.move(id, 'end', { variables })).body.error.code).toBe('condition_not_met');
    }
    const { status, body } = await world.move(id, 'other', { variables: { locked: null } });
    expect([status, body.errors[0].pointer]).toEqual([400, '/variables/locked']);
    expect(await world.variablesOf(id)).toEqual({ score: 3, locked: true });
  });

  it('is rejected in a state without fields', async () => {
    const id = await world.experimentIn(states);
    await world.move(id, 'plain', { variables: { quality: 'poor' } });
    const { status, body } = await world.move(id, 'accepted', { variables: { quality: 'good' } });
    expect(status).toBe(400);
    expect(body.detail).toContain('The state has no fields.');
    expect((await world.move(id, 'accepted')).status).toBe(200);
  });

  it('demands required answers only if no run and no incident is open, and checks given ones always', async () => {
    const id = await world.experimentIn(`initial: qc
states:
  - label: qc
    callbacks: [{label: c, function: worker, callback_arguments: {queue: answers}}]
    decision: {fields: [{variable: quality, type: choice, choices: [good, poor], required: true}]}
    transitions: [{destination: stopped, by: person}]
  - {label: stopped, transitions: [{destination: qc, by: person}]}
`);
    expect((await world.move(id, 'stopped', { variables: { quality: 'fine' } })).status).toBe(400);
    expect((await world.move(id, 'stopped')).status).toBe(200);
    await world.move(id, 'qc');
    await world.finish((await world.executionOf(id, 'c')).id, 'failed');
    expect((await world.incidentsOf(id)).at(-1)).toMatchObject({ open: true });
    expect((await world.move(id, 'stopped')).status).toBe(200);
    await world.move(id, 'qc');
    await world.finish((await world.executionOf(id, 'c')).id, 'success');
    expect((await world.move(id, 'stopped')).status).toBe(400);
  });

  it('is rejected because of the state first, and stores no answers', async () => {
    const id = await world.experimentIn(states);
    expect((await world.move(id, 'accepted', { variables: { quality: 'poor' } })).body.error.code).toBe(
      'condition_not_met',
    );
    expect(await world.variablesOf(id)).toEqual({});
  });
});
