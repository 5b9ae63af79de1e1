/** Uploads of spreadsheets: what is refused, their mapping, and how they stop. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImportWorld, type ImportWorld } from '../../../testing/import-world.ts';
import { basic } from '@milepost/api';
import { exchange } from '../../../testing/exchange.ts';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: ImportWorld;
let cohortId: number;
beforeAll(async () => {
  server = await startTestServer();
  world = await createImportWorld(server);
  cohortId = await world.cohort();
});
afterAll(() => server.stop());

const statusOfLatest = async () =>
  (await server.sql<{ status: string }>('select status from imports order by id desc limit 1'))[0]?.status;

describe('an upload', () => {
  it.each([
    ['of JSON', { subject: 'A' }, { 'content-type': 'application/json' }],
    ['that is compressed', 'subject\nA\n', { 'content-encoding': 'gzip' }],
  ])('%s gets 415', async (_what, body, headers) => {
    const query = { cohort_id: cohortId };
    const answer = await server.call('createImport', { query, headers, body });
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  it.each([
    ['nothing', '', 'empty'],
    ['only a header', 'subject\n', 'no lines'],
    ['a quotation mark that is not closed', 'subject\n"A\n', 'not closed'],
    ['another encoding', Buffer.from([0x61, 0x0a, 0xfc, 0x0a]), 'not UTF-8'],
  ])('with %s gets 400, and is not imported', async (_what, csv, reason) => {
    const answer = await world.upload(cohortId, csv);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain(reason);
    expect(await statusOfLatest()).not.toBe('checking');
  });

  it('of more than 200,000 lines gets 400, and its import says why it stopped', async () => {
    const { status, body } = await world.upload(cohortId, `subject\n${'A\n'.repeat(200_001)}`);
    expect([status, body.detail]).toEqual([400, expect.stringContaining('200,000 lines')]);
    const [latest] = await server.sql('select status, stopped_because from imports order by id desc limit 1');
    expect(latest).toEqual({ status: 'stopped', stopped_because: body.detail });
  });

  it('of more than 64 MiB gets 413', async () => {
    const line = `${'x'.repeat(100_000)}\n`;
    const answer = await world.upload(cohortId, `subject\n${line.repeat(672)}`);
    expect(answer).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });

  it('that is refused early is read to its end, so that the connection can be used again', async () => {
    const lines = `${'A\n'.repeat(200_001)}${'rest of the file\n'.repeat(100_000)}`;
    for (const csv of [`subject\n${lines}`, `\n${lines}`, `subject\n"${lines}`]) {
      const head = `POST /api/v2/imports?cohort_id=${cohortId} HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\n`;
      const sent = `Authorization: ${basic('admin', testPassword)}\r\nContent-Length: ${csv.length}\r\n\r\n`;
      const next = 'GET /api/v2/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
      const received = await exchange(server.origin, head + sent + csv + next);
      expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400', expect.any(String)]);
    }
  });

  it('into an unknown cohort or with an unknown workflow gets 404', async () => {
    expect((await world.upload(999_999, 'subject\nA\n')).status).toBe(404);
    expect((await world.upload(cohortId, 'subject\nA\n', { query: { workflow_id: 999_999 } })).status).toBe(404);
  });

  it('uses the saved mapping whose columns it has, and the one with the most', async () => {
    const save = (name: string, columns: object) =>
      server.call('saveImportMapping', { params: { id: cohortId, name }, body: { columns } });
    await save('short', { Kennung: { target: 'subject' } });
    await save('long', { Kennung: { target: 'subject' }, Besuch: { target: 'experiment' } });
    const both = await world.check(cohortId, 'Kennung;Besuch\nS1;e1\n');
    expect(both).toMatchObject({ mapping_name: 'long', ready: 1, new_experiments: 1 });
    const one = await world.check(cohortId, 'Kennung;Visite\nS1;e1\n');
    expect(one).toMatchObject({ mapping_name: 'short', columns: [{ target: 'subject' }, { target: 'ignored' }] });
    await save('long', {
      Kennung: { target: 'subject' },
      Besuch: { target: 'experiment', template: '{Ort}-{Besuch}' },
    });
    expect(await world.check(cohortId, 'Kennung;Besuch\nS1;e1\n')).toMatchObject({ mapping_name: 'short' });
    await save('no subject', {});
    await server.call('deleteImportMapping', { params: { id: cohortId, name: 'short' } });
    expect(await world.check(cohortId, 'Kennung;Visite\nS1;e1\n')).toMatchObject({ mapping_name: null, faulty: 1 });
  });
});

describe('a mapping', () => {
  it('that changes repeats the check', async () => {
    const { id } = await world.check(cohortId, 'who,visit\nS1,e1\nS2,\n');
    expect(await world.faults(id)).toHaveLength(2);
    const columns = { who: { target: 'subject' }, visit: { target: 'experiment', template: '{who}-{visit}' } };
    const { body } = await server.call('updateImport', { params: { id }, body: { columns } });
    expect(body).toMatchObject({ status: 'checking', checked: 0, faults: 0 });
    await world.work();
    expect(await world.read(id)).toMatchObject({ status: 'checked', ready: 2, faulty: 0, faults: 0 });
    expect(await world.faults(id)).toEqual([]);
    const { body: lines } = await server.call('listImportLines', { params: { id } });
    expect(lines.lines).toMatchObject([
      { line: 2, experiment: 'S1-e1', state: 'start', result: 'ready' },
      { line: 3, experiment: null, state: null },
    ]);
  });

  it('can have the name of a property that every object has', async () => {
    const { id } = await world.check(cohortId, 'subject,constructor,__proto__\nS1,x,y\n');
    const columns = { subject: { target: 'subject' } };
    expect((await server.call('updateImport', { params: { id }, body: { columns } })).status).toBe(200);
    await world.work();
    expect(await world.read(id)).toMatchObject({ status: 'checked', ready: 1 });
  });

  it.each([
    ['a column that the file does not have', { who: { target: 'subject' }, x: { target: 'state' } }],
    ['no subject', { visit: { target: 'experiment' } }],
    ['two subjects', { who: { target: 'subject' }, visit: { target: 'subject' } }],
    ['a variable without a name', { who: { target: 'subject' }, visit: { target: 'variable' } }],
    [
      'a template with an unknown column',
      { who: { target: 'subject' }, visit: { target: 'experiment', template: '{x}' } },
    ],
  ])('with %s is refused', async (_what, columns) => {
    const { id } = await world.check(cohortId, 'who,visit\nS1,e1\n');
    expect((await server.call('updateImport', { params: { id }, body: { columns } })).status).toBe(400);
  });

  it('with an unknown external system is refused', async () => {
    const { id } = await world.check(cohortId, 'who,visit\nS1,e1\n');
    const columns = { who: { target: 'subject' }, visit: { target: 'experiment_id', name: 'none' } };
    const answer = await server.call('updateImport', { params: { id }, body: { columns } });
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('an import', () => {
  it('is applied once, and can be stopped before', async () => {
    const { id } = await world.check(cohortId, 'subject\nonce\n');
    expect((await server.call('applyImport', { params: { id } })).body.status).toBe('running');
    expect((await server.call('applyImport', { params: { id } })).status).toBe(200);
    await world.work();
    expect(await server.call('applyImport', { params: { id } })).toMatchObject({
      status: 409,
      body: { code: 'status_conflict' },
    });
    expect((await server.call('stopImport', { params: { id } })).status).toBe(409);
    const other = await world.check(cohortId, 'subject\nnever\n');
    expect((await server.call('stopImport', { params: { id: other.id } })).body.status).toBe('stopped');
    expect((await server.call('stopImport', { params: { id: other.id } })).status).toBe(200);
    expect(await server.sql(`select from subjects where label = 'never'`)).toEqual([]);
  });

  it('stops when its author loses the permission or is deactivated, and says so', async () => {
    const author = async (name: string) => {
      await server.addUserWith(name, 'sample_add');
      const { id } = await world.check(cohortId, `subject\n${name}\n`, { as: name });
      await server.call('applyImport', { params: { id }, as: name });
      return id;
    };
    const deactivated = await author('leaving');
    await server.sql(`update users set active = false where username = 'leaving'`);
    const demoted = await author('demoted');
    await server.sql(`delete from user_roles where user_id = (select id from users where username = 'demoted')`);
    await world.work();
    const rows = await server.sql<{ status: string; because: string }>(
      'select status, stopped_because as because from imports where id = any($1) order by id',
      [[deactivated, demoted]],
    );
    expect(rows).toEqual([
      { status: 'stopped', because: expect.stringContaining('deactivated') },
      { status: 'stopped', because: 'The author lost the permission `sample_add` in the cohort.' },
    ]);
    expect(await server.sql(`select from subjects where label in ('leaving', 'demoted')`)).toEqual([]);
  });

  it('has a fault for each value that its author has no permission for', async () => {
    await server.addUserWith('adder', 'sample_add');
    const parts = { as: 'adder' };
    const { id } = await world.check(
      cohortId,
      'subject,experiment,state,var.v\nP1,e1,review,\nP2,e1,,1\nP3,e1,,\n',
      parts,
    );
    expect(await world.faults(id, parts)).toEqual([
      [2, 'state', expect.stringContaining('`state_override`')],
      [3, 'var.v', expect.stringContaining('`sample_update`')],
    ]);
  });

  it('that meets subjects which another one has just created finds them', async () => {
    const [one, two] = [await world.check(cohortId, 'subject\nboth\n'), await world.check(cohortId, 'subject\nboth\n')];
    for (const { id } of [one, two]) await server.call('applyImport', { params: { id } });
    await world.work();
    expect(await server.sql(`select from subjects where label = 'both'`)).toHaveLength(1);
    expect(await world.read(two.id)).toMatchObject({ status: 'finished', done: 1, new_subjects: 0 });
  });

  it('does not add to a subject that has withdrawn', async () => {
    await world.import(cohortId, 'subject\nW1\n');
    const { id } = await world.check(cohortId, 'subject,experiment\nW1,e1\n');
    const [subject] = await server.sql<{ id: number }>(`select id::int from subjects where label = 'W1'`);
    const body = { date: '2026-01-01', reason: 'asked' };
    const withdrawn = await server.call('withdrawSubject', { params: { id: subject?.id ?? 0 }, body });
    expect(withdrawn.status).toBe(200);
    await server.call('applyImport', { params: { id } });
    await world.work();
    expect(await world.read(id)).toMatchObject({ status: 'finished', done: 0, faulty: 1 });
    expect(await world.faults(id)).toEqual([[2, 'subject', 'The subject has withdrawn. Nothing can be added.']]);
  });

  describe.each([
    ['checked', 'import_keys', 'new.line = 3'],
    ['imported', 'subjects', `new.label = 'broken'`],
  ])('with a line that cannot be %s', (_what, table, when) => {
    beforeAll(() =>
      server.sql(`create function break_write() returns trigger language plpgsql as $$ begin raise 'no space'; end $$;
        create trigger break_write before insert or update on ${table} for each row when (${when}) execute function break_write()`),
    );
    afterAll(async () => {
      await server.sql(`drop trigger break_write on ${table}; drop function break_write()`);
      world.context.errors.length = 0;
    });

    it('imports the others, and the line has a fault', async () => {
      const { id } = await world.import(await world.cohort(), 'subject\nfirst\nbroken\nlast\n');
      expect(await world.read(id)).toMatchObject({ status: 'finished', done: 2, faulty: 1, ready: 0 });
      expect(await world.faults(id)).toEqual([[3, null, expect.stringContaining('unexpected error')]]);
      expect(world.context.errors[0]).toMatchObject({ message: 'no space' });
    });
  });
});
