/**
 * Behaviour specific to scans. resolve-reference.interface.test.ts covers their references.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type Experiment, type World } from '../../../testing/cases/world.ts';
import { tablesRead } from '../../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: World;
let experiment: Experiment;
let scantype: Awaited<ReturnType<World['scantype']>>;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());
beforeEach(async () => {
  [experiment, scantype] = [await world.experiment(), await world.scantype()];
});

const add = async () =>
  (await server.call('createScan', { body: { experiment: experiment.id, scantype: scantype.id } })).body;

describe('POST /scans', () => {
  it('creates another scan of the same type when repeated', async () => {
    const [first, second] = [await add(), await add()];
    expect(second.id).toBeGreaterThan(first.id);
    expect({ ...second, id: first.id, uri: first.uri }).toEqual(first);
  });

  it('adds a history entry, and an event in the cohort of the experiment', async () => {
    const { id } = await add();
    expect(
      await server.sql(
        `select object_kind, before, after from history where operation = 'createScan' and object_id = $1`,
        [id],
      ),
    ).toEqual([
      { object_kind: 'scan', before: null, after: { experiment_id: experiment.id, scantype_id: scantype.id } },
    ]);
    const { body: subject } = await server.call('getSubject', { params: { id: experiment.subjectId } });
    expect(
      await server.sql(`select object_kind, cohort_id from events where kind = 'createScan' and object_id = $1`, [id]),
    ).toEqual([{ object_kind: 'scan', cohort_id: String(subject.cohort.id) }]);
  });

  it('creates a scan that moves to another cohort with its experiment', async () => {
    const [{ id }, { id: subjectId, cohort }] = [await add(), await world.subject()];
    await server.call('updateExperiment', { params: { id: experiment.id }, body: { subject_id: subjectId } });
    expect(await server.sql('select cohort_id from scans where id = $1', [id])).toEqual([
      { cohort_id: String(cohort.id) },
    ]);
  });
});

describe('X-Fields', () => {
  it.each([
    ['scans{id,uri,experiment{id,uri},scantype{id}}', ['scans']],
    ['scans{experiment{label}}', ['experiments', 'scans']],
    ['scans{scantype{modality}}', ['scans', 'scantypes']],
    ['scans{scantype}', ['scans', 'scantypes']],
    ['*', ['experiments', 'scans', 'scantypes']],
  ])('%s on the list reads only the tables %j', async (fields, tables) => {
    const { id } = await add();
    const read = async () => {
      const { body } = await server.call('listScans', { query: { after: id - 1 }, fields });
      expect(body.scans).toHaveLength(1);
    };
    expect(await tablesRead('scans', read)).toEqual(tables);
  });

  it('{id,scantype{protocol}} on one scan returns only these fields and reads no experiment', async () => {
    const { id } = await add();
    const read = async () => {
      const { body } = await server.call('getScan', { params: { id }, fields: '{id,scantype{protocol}}' });
      expect(body).toEqual({ id, scantype: { protocol: scantype.protocol } });
    };
    expect(await tablesRead('scans', read)).toEqual(['scans', 'scantypes']);
  });
});
