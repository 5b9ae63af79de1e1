/**
 * The database chains the history for every writer, and verification works without the database.
 *
 * @module-tag sql
 */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { insertEntry } from '../../../testing/rows/history-entries.ts';
import { withClient } from '../../../testing/test-database.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { verifyHistory } from '../../chain/verify-history.ts';
import { readChains } from './chained-history.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const verify = () => verifyHistory(readChains(server.database.db));

interface Link {
  sequence: number;
  operation: string;
  object_kind: string;
}

const chainOf = (chain: string, id: number) =>
  server.sql<Link>(
    'select sequence::int, operation, object_kind from history where chain = $1 and chain_id = $2 order by id',
    [chain, id],
  );

const note = (id: number, text: string) => server.call('addNote', { params: { id }, body: { text } });

/** Resolves when the backend waits for a lock. */
const untilBlocked = async (pid: number) => {
  const waiting = () => server.sql('select from pg_locks where pid = $1 and not granted', [pid]);
  await expect.poll(async () => (await waiting()).length, { interval: 10 }).toBe(1);
};

const textOf = async (table: string) =>
  (await server.sql<{ text: string }>(`select coalesce(string_agg(one::text, ' '), '') as text from ${table} one`))[0]
    ?.text ?? '';

describe('the chain of an experiment', () => {
  it('contains every change without gaps and is valid', async () => {
    const id = await world.experimentIn(pulledWorkflow('chained'));
    const [claim] = await world.claim('chained');
    await world.reportWithSecret(claim, { status: 'finished', result: 'success', result_values: { x: 'seen' } });
    expect((await note(id, 'looks well')).status).toBe(201);
    await server.call('setExperimentVariable', { params: { id, name: 'v' }, body: { value: 2 } });
    const [action] = await world.actionsOf(id);
    await server.call('updateAction', { params: { id: action?.id ?? 0 }, body: { return_value: 'by hand' } });

    const chain = await chainOf('experiment', id);
    expect(chain.map(({ sequence }) => sequence)).toEqual(chain.map((_, index) => index + 1));
    expect(chain.map(({ operation, object_kind }) => `${operation} ${object_kind}`)).toEqual([
      'createExperiment experiment',
      'updateCallbackExecution callback_execution',
      'endAction experiment',
      'endAction experiment',
      'addNote note',
      'setExperimentVariable experiment',
      'updateAction action',
    ]);
    expect(await verify()).toMatchObject({ bad: undefined, erased: 0 });
  });

  it('has no gaps or branches after 20 concurrent writes', async () => {
    const id = await world.experimentIn(pulledWorkflow('crowded'));
    const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => note(id, `note ${index}`)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect((await chainOf('experiment', id)).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 21 }, (_, index) => index + 1),
    );
    expect(await verify()).toMatchObject({ bad: undefined });
  });
});

describe('concurrent writers', () => {
  /** Runs both statements with the application role, the second before the first is committed. */
  async function writeTogether(first: string, second: string, whileBoth: (pid: number) => Promise<void>) {
    const url = server.testDatabase.databaseUrl;
    await withClient(url, (one) => withClient(url, (other) => overlap(one, other, { first, second, whileBoth })));
  }

  interface Overlap {
    first: string;
    second: string;
    whileBoth: (pid: number) => Promise<void>;
  }

  async function overlap(one: Client, other: Client, { first, second, whileBoth }: Overlap) {
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    await one.query('begin');
    await one.query(first);
    const written = other.query(second);
    await whileBoth(rows[0]?.pid ?? 0);
    await Promise.all([one.query('commit'), written]);
  }

  it.each([
    ['a cohort', 'cohort', 9001, 9001],
    ['users', 'user', 9001, 9002],
    ['roles', 'role', 9001, 9002],
    ['workflows', 'workflow', 9001, 9002],
    ['settings', 'scantype', 9001, 9002],
  ])('wait for each other on the chain of %s', async (_chain, kind, one, other) => {
    await writeTogether(insertEntry(kind, one), insertEntry(kind, other), untilBlocked);
    expect(await verify()).toMatchObject({ bad: undefined });
  });

  it('do not wait for each other on the chains of different cohorts', async () => {
    const url = server.testDatabase.databaseUrl;
    await withClient(url, (one) =>
      withClient(url, async (other) => {
        await one.query('begin');
        await one.query(insertEntry('cohort', 9003));
        await other.query(insertEntry('cohort', 9004));
        await one.query('rollback');
      }),
    );
    expect(await chainOf('cohort', 9004)).toMatchObject([{ sequence: 1 }]);
  });

  it('cannot branch a chain, because the second write is rejected', async () => {
    const id = 9005;
    await expect(
      writeTogether(insertEntry('subject', id), insertEntry('subject', id), untilBlocked),
    ).rejects.toMatchObject({
      constraint: 'history_chain_index',
    });
    expect(await chainOf('subject', id)).toMatchObject([{ sequence: 1 }]);
  });
});

describe('the history', () => {
  it('rejects an entry of a kind without a chain', async () => {
    await expect(server.sql(insertEntry('mood', 1))).rejects.toThrow(
      'no chain is known for objects of the kind "mood"',
    );
  });

  it('passes verification if values contain unusual characters', async () => {
    const odd = `"quoted" \\ / \t \n \r \u0001 \u001f \u007f \u2028 ä 漢 𝔪 👩‍⚕️ é`;
    const { body: cohort } = await server.call('createCohort', { body: { label: 'odd', description: odd } });
    await server.call('updateCohort', { params: { id: cohort.id }, body: { description: `${odd} again` } });
    await note(await world.experimentIn(pulledWorkflow('odd')), odd);
    expect(await verify()).toMatchObject({ bad: undefined });
  });
});

describe('personal values', () => {
  const canaries = {
    label: 'canary-label',
    date_of_birth: '1911-11-11',
    external_id: 'canary-external-id',
    // The name of a key that stays in the chain.
    system: 'state',
    experiment: 'canary-experiment',
    scandate: '1999-09-09T09:09:09',
    freetext: 'canary-freetext',
    note: 'canary-note',
    variable: 'canary-variable',
    result: 'canary-result',
    username: 'canary-username',
    email: 'canary@example.org',
    name: 'canary-name',
  };

  async function writeCanaries(): Promise<void> {
    const { username, email, name } = canaries;
    await server.call('createUser', { body: { username, email, name, password: 'a sentence with words' } });
    await server.call('createCohort', { body: { label: 'canaries' } });
    await server.call('createExternalSystem', { body: { system_name: canaries.system, url: 'https://x' } });
    const { label, date_of_birth } = canaries;
    const subject = await server.call('createSubject', { body: { label, date_of_birth, cohort_label: 'canaries' } });
    const ids = { external_ids: { [canaries.system]: canaries.external_id } };
    const added = await server.call('addSubjectExternalIds', { params: { id: subject.body.id }, body: ids });
    expect(added.status).toBe(201);
    const workflow_label = await world.importWorkflow(pulledWorkflow('canaries'));
    const body = {
      label: canaries.experiment,
      scandate: canaries.scandate,
      subject_id: subject.body.id,
      workflow_label,
    };
    const { id } = (await server.call('createExperiment', { body })).body;
    await note(id, canaries.note);
    const value = { value: canaries.variable, reason: canaries.freetext };
    await server.call('setExperimentVariable', { params: { id, name: 'v' }, body: value });
    const [claim] = await world.claim('canaries');
    const report = { status: 'finished', result: 'success', result_values: { x: canaries.result } };
    expect((await world.reportWithSecret(claim, report)).status).toBe(200);
  }

  it('are stored only outside the chain', async () => {
    await writeCanaries();
    const { system: _name, ...values } = canaries;
    const [chained, kept] = [await textOf('history'), await textOf('history_values')];
    for (const canary of Object.values(values)) {
      expect(chained).not.toContain(canary);
      expect(kept).toContain(canary);
    }
    expect(await verify()).toMatchObject({ bad: undefined, erased: 0 });
  });

  it('are returned by the view history_with_values', async () => {
    const [entry] = await server.sql(
      `select before, after, reason from history_with_values where operation = 'setExperimentVariable' order by id desc limit 1`,
    );
    expect(entry).toEqual({
      before: { variables: {} },
      after: { variables: { v: canaries.variable } },
      reason: canaries.freetext,
    });
  });

  it('are reported as missing if they and their key are deleted without a recorded erasure', async () => {
    const [subject] = await server.sql<{ id: number }>('select id::int from subjects where label = $1', [
      canaries.label,
    ]);
    const parameters = [subject?.id];
    await server.sql(
      `delete from history_values using history
       where history.id = history_id and person = 'subject' and person_id = $1`,
      parameters,
    );
    expect((await verify()).bad?.fault).toContain('their key still exists');
    await server.sql(`delete from personal_keys where person = 'subject' and person_id = $1`, parameters);
    expect((await verify()).bad).toMatchObject({
      chain: 'experiment',
      sequence: 1,
      fault: `The personal values and the key of subject ${subject?.id} are missing, but no entry records an erasure.`,
    });
  });
});
