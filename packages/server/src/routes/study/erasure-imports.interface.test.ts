/**
 * Imports in an erasure: the lines that mention the subject, their faults and keys, and mappings disappear, and imports that have not ended
 * stop. Lines of others stay. A set that is being imported at the same time does not bring the subject back.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createImportWorld, type ImportWorld } from '../../../testing/import-world.ts';
import { countLockWaits } from '../../../testing/pause-at-lock.ts';
import { dumpAll } from '../../../testing/rows/whole-dump.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { withClient } from '../../../testing/test-database.ts';
import { runImportSet } from '../../engine/spreadsheets/run-imports.ts';
import { insertLines } from '../../store/spreadsheets/import-lines.ts';

let server: TestServer;
let world: ImportWorld;
let cohortId: number;
beforeAll(async () => {
  server = await startTestServer();
  world = await createImportWorld(server);
  await server.call('createExternalSystem', { body: { system_name: 'XNAT', url: 'https://xnat.example.org/' } });
});
beforeEach(async () => {
  cohortId = await world.cohort();
});
afterAll(() => server.stop());

/** Withdraws the subject and returns the function that erases it. */
async function prepareErasure(label: string) {
  const [subject] = await server.sql<{ id: number }>(
    'select id::int from subjects where label = $1 and cohort_id = $2',
    [label, cohortId],
  );
  const params = { id: subject?.id ?? 0 };
  await server.call('withdrawSubject', { params, body: { reason: 'moved', date: '2026-03-01' } });
  const { body: request } = await server.call('requestErasure', { params, body: { reason: 'x' } });
  return () => server.call('eraseSubject', { params, body: { erasure_id: request.id, label } });
}

async function erase(label: string) {
  const confirm = await prepareErasure(label);
  const { status, body } = await confirm();
  expect(status).toBe(200);
  return body.destroyed;
}

const linesOf = async (id: number) => {
  const { body } = await server.call('listImportLines', { params: { id } });
  return body.lines.map(({ values }: { values: string[] }) => values.join(';'));
};
const subjectsNamed = (label: string) => server.sql('select from subjects where label = $1', [label]);
const leftOver = async (text: string) => (await dumpAll(server.testDatabase.superuserUrl)).toLowerCase().includes(text);
const because = 'A subject that it concerns was erased.';

describe('an erasure', () => {
  it('removes the lines, faults and keys of the subject, and keeps those of others', async () => {
    await world.import(cohortId, 'subject,experiment,xnat\nZeta-1,zeta scan,zeta-id\n');
    const file = [
      'subject,born,experiment,xnat,note',
      'Zeta-1,soon,zeta scan,,',
      'Zeta-10,soon,baseline,,',
      'Zeta,,1,,',
      'Other,,e1,zeta-id,',
      'Other,,e2,,"Sister of\nzeta-1"',
      'Other,,e3,,Asked',
    ].join('\n');
    const mapping = {
      born: { target: 'date_of_birth' },
      xnat: { target: 'experiment_id', name: 'XNAT' },
    };
    const checked = await world.check(cohortId, file);
    const columns = { subject: { target: 'subject' }, experiment: { target: 'experiment' }, ...mapping };
    await server.call('updateImport', { params: { id: checked.id }, body: { columns } });
    await world.work();
    expect((await world.faults(checked.id)).map(([line, column]) => [line, column])).toEqual([
      [2, 'born'],
      [3, 'born'],
      [5, 'xnat'],
    ]);
    await server.sql(
      `insert into import_keys (import_id, key, value, line) select $1, n::text::bytea, '', n from unnest('{2,3}'::int[]) n`,
      [checked.id],
    );
    // The import that created the subject, and three lines of this one. `Other,,e1` names an ID of the subject.
    expect(await erase('Zeta-1')).toMatchObject({ import_lines: 4, imports: 0, import_mappings: 0 });
    expect(await linesOf(checked.id)).toEqual(['Zeta-10;soon;baseline;;', 'Zeta;;1;;', 'Other;;e3;;Asked']);
    expect((await world.faults(checked.id)).map(([line]) => line)).toEqual([3]);
    expect(await server.sql('select line from import_keys where import_id = $1', [checked.id])).toEqual([{ line: 3 }]);
    expect(await world.read(checked.id)).toMatchObject({ status: 'stopped', stopped_because: because });
    expect([await leftOver('zeta scan'), await leftOver('zeta-id'), await leftOver('sister of')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('removes the name of the owner from a fault in a line of another subject', async () => {
    const details = [
      '`N8` in XNAT already belongs to experiment `e1` of subject `Eta-1`. Correct one of the two IDs.',
      '`N8` in XNAT already belongs to experiment `eta scan` of subject `X`. Correct one of the two IDs.',
      '`N8` in XNAT already belongs to subject `Eta-1`. Correct one of the two IDs.',
    ];
    await world.import(cohortId, 'subject,experiment,xnat\nEta-1,eta scan,N7\n');
    const { id } = await world.check(cohortId, 'subject,experiment,xnat\nOther,e1,N8\n');
    await server.sql(
      `insert into import_faults (import_id, number, line, place, detail) select $1, 1999 + n, 2, 3, detail
       from unnest($2::text[]) with ordinality as given (detail, n)`,
      [id, details],
    );
    await erase('Eta-1');
    expect(await world.faults(id)).toEqual(details.map(() => [2, 'xnat', because]));
  });

  it('looks for a short label only in the cohort of the subject', async () => {
    const { id: own } = await world.import(cohortId, 'subject,age\n12,40\n13,12\n');
    const elsewhere = await world.cohort();
    const other = await world.check(elsewhere, 'subject,age\n12,40\nX-1,12\n');
    expect(await erase('12')).toMatchObject({ import_lines: 2 });
    expect(await linesOf(own)).toEqual([]);
    expect(await linesOf(other.id)).toEqual(['12;40', 'X-1;12']);
    expect(await world.read(other.id)).toMatchObject({ status: 'checked' });
  });

  it('keeps the status of an import that has finished', async () => {
    const { id } = await world.import(cohortId, 'subject\nTheta-1\nTheta-2\n');
    expect(await erase('Theta-1')).toMatchObject({ import_lines: 1 });
    expect(await linesOf(id)).toEqual(['Theta-2']);
    expect(await world.read(id)).toMatchObject({ status: 'finished', stopped_because: null });
  });

  it('removes file names, headers and mappings that mention the subject', async () => {
    await world.import(cohortId, 'subject\nIota-1\n');
    const named = await world.check(cohortId, 'subject\nOther\n', { query: { file_name: 'of IOTA-1.csv' } });
    const headless = await world.check(cohortId, 'Iota-1,subject\nx,Other\n');
    const other = await world.check(cohortId, 'subject\nOther\n', { query: { file_name: 'iota-10.csv' } });
    const save = (name: string, columns: object) =>
      server.call('saveImportMapping', { params: { id: cohortId, name }, body: { columns } });
    await save('as for iota-1', { subject: { target: 'subject' } });
    await save('visits', { 'iota-1': { target: 'variable', name: 'x' } });
    await save('kept', { subject: { target: 'subject' } });
    expect(await erase('Iota-1')).toMatchObject({ import_lines: 1, imports: 2, import_mappings: 2 });
    expect(await world.read(named.id)).toMatchObject({ file_name: '', status: 'stopped', stopped_because: because });
    const { columns } = await world.read(headless.id);
    expect(columns.map(({ header }: { header: string }) => header)).toEqual(['column 1', 'column 2']);
    expect(await world.read(other.id)).toMatchObject({ file_name: 'iota-10.csv', status: 'checked' });
    const { body } = await server.call('listImportMappings', { params: { id: cohortId } });
    expect(body.mappings.map(({ name }: { name: string }) => name)).toEqual(['kept']);
    expect(await leftOver('iota-1"')).toBe(false);
  });
});

/** Waits until a statement waits for a lock. */
const untilBlocked = () =>
  withClient(server.testDatabase.ownerUrl, async (client) => {
    await expect.poll(() => countLockWaits(client), { interval: 20 }).toBeGreaterThan(0);
  });

describe('at the same time as an erasure', () => {
  it('a set that is being imported ends first, and the import stops', async () => {
    await world.import(cohortId, 'subject\nKappa-1\n');
    const confirm = await prepareErasure('Kappa-1');
    const { id } = await world.check(cohortId, 'subject,experiment\nKappa-2,e1\n');
    // The check refuses a withdrawn subject. Here it is still ready, as if it had withdrawn after the check.
    await server.sql(
      `with added as (insert into import_lines (import_id, line, cells, result) values ($1, 3, '["Kappa-1", "e1"]', 'ready'))
       update imports set lines = 2, ready = 2 where id = $1`,
      [id],
    );
    await server.call('applyImport', { params: { id } });
    await withClient(server.testDatabase.ownerUrl, async (other) => {
      await other.query('begin; lock table import_lines in access exclusive mode');
      // It has locked the import, but not yet the subjects.
      const set = runImportSet(world.context);
      await untilBlocked();
      const erasure = confirm();
      await expect.poll(() => countLockWaits(other), { interval: 20 }).toBe(2);
      await other.query('rollback');
      expect([await set, (await erasure).status]).toEqual([true, 200]);
    });
    await world.work();
    expect([await subjectsNamed('Kappa-1'), (await subjectsNamed('Kappa-2')).length]).toEqual([[], 1]);
    expect(await linesOf(id)).toEqual(['Kappa-2;e1']);
    expect(await leftOver('kappa-1')).toBe(false);
  });

  it('no set of the import starts, and the import stops', async () => {
    await world.import(cohortId, 'subject\nLambda-1\n');
    const confirm = await prepareErasure('Lambda-1');
    const { id } = await world.check(cohortId, 'subject\nLambda-1\nLambda-2\n');
    await server.sql(
      `with ready as (update import_lines set result = 'ready' where import_id = $1)
       update imports set status = 'running', ready = 2, faulty = 0, unchanged = 0, position = 0 where id = $1`,
      [id],
    );
    await withClient(server.testDatabase.ownerUrl, async (other) => {
      await other.query('begin; lock table import_mappings in share mode');
      const erasure = confirm();
      await untilBlocked();
      expect(await runImportSet(world.context)).toBe(false);
      await other.query('rollback');
      expect((await erasure).status).toBe(200);
    });
    await world.work();
    expect([await subjectsNamed('Lambda-1'), await subjectsNamed('Lambda-2')]).toEqual([[], []]);
    expect(await world.read(id)).toMatchObject({ status: 'stopped', stopped_because: because });
  });

  it('a file that is being uploaded is stopped, and its later lines are not stored', async () => {
    await world.import(cohortId, 'subject\nMu-1\n');
    const confirm = await prepareErasure('Mu-1');
    const { id } = await world.check(cohortId, 'subject\nMu-2\n');
    await server.sql(`update imports set status = 'uploading' where id = $1`, [id]);
    expect((await confirm()).status).toBe(200);
    await insertLines(server.database.db, id, [{ line: 3, cells: ['Mu-1'] }]);
    expect(await linesOf(id)).toEqual(['Mu-2']);
    expect((await world.read(id)).stopped_because).toMatch(/^A subject was erased during the upload\./);
  });
});
