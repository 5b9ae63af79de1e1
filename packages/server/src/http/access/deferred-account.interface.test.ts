/** A request with remembered credentials reads the account in the statement that reads the experiment. */
import { basic } from '@milepost/api';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { statementsDuring } from '../../../testing/measure/sent-plans.ts';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const twoStates =
  'initial: a\nstates:\n  - {label: a, transitions: [{destination: b}]}\n  - {label: b, transitions: [{destination: a}]}';

const move = (id: number, as: string, body: object = { state_label: 'b' }) =>
  server.call('setExperimentState', { params: { id }, as, body });

let people = 0;
/** A user with the right to move, whose password was checked a moment ago. */
async function mover() {
  const name = `mover${++people}`;
  const userId = await server.addUser(name, ['superuser']);
  const experiment = await world.experimentIn(twoStates);
  expect((await move(experiment, name)).status).toBe(200);
  expect((await move(experiment, name, { state_label: 'a' })).status).toBe(200);
  return { name, userId, experiment };
}

it('a move without a condition sends two statements', async () => {
  const { name, experiment } = await mover();
  const sent = await statementsDuring(() => move(experiment, name), /select/);
  expect(sent.map(({ text }) => text.trim().slice(0, 4))).toEqual(['sele', 'with']);
});

it('reading an experiment sends one statement', async () => {
  const { name, experiment } = await mover();
  const sent = await statementsDuring(
    () => server.call('getExperiment', { params: { id: experiment }, as: name }),
    /select/,
  );
  expect(sent).toHaveLength(1);
});

describe('a change of the account since the password was checked', () => {
  it.each<[string, string, number, string]>([
    ['a lost role', 'delete from user_roles where user_id = $1', 403, 'not_allowed'],
    ['a deactivation', 'update users set active = false where id = $1', 401, 'wrong_credentials'],
    ['a new password', 'update users set password_hash = $2 where id = $1', 401, 'wrong_credentials'],
  ])('applies at once: %s', async (_what, change, status, code) => {
    const { name, userId, experiment } = await mover();
    await server.sql(change, change.includes('$2') ? [userId, await hash('another password')] : [userId]);
    expect(await move(experiment, name)).toMatchObject({ status, body: { code } });
    expect(await world.stateOf(experiment)).toBe('a');
  });

  it('applies at once to reading: a lost role', async () => {
    const { name, userId, experiment } = await mover();
    const read = () => server.call('getExperiment', { params: { id: experiment }, as: name });
    expect((await read()).status).toBe(200);
    await server.sql('delete from user_roles where user_id = $1', [userId]);
    expect(await read()).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
  });

  it('applies at once: a new name', async () => {
    const { name, userId, experiment } = await mover();
    await server.sql(`update users set username = 'renamed' || id, username_key = 'renamed' || id where id = $1`, [
      userId,
    ]);
    expect(await move(experiment, name)).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } });
    expect(await world.stateOf(experiment)).toBe('a');
  });

  it('counts a wrong password once', async () => {
    const { name, userId, experiment } = await mover();
    await server.sql('delete from sign_in_failures');
    await server.sql('update users set active = false where id = $1', [userId]);
    await move(experiment, name);
    const failures = await server.sql<{ count: number }>('select count from sign_in_failures');
    expect(failures).toEqual([{ count: 1 }, { count: 1 }]);
  });

  it('is reported before the errors of the body', async () => {
    const { name, userId, experiment } = await mover();
    await server.sql('delete from user_roles where user_id = $1', [userId]);
    const response = await fetch(`${server.baseUrl}/experiments/${experiment}/state`, {
      method: 'PUT',
      headers: { authorization: basic(name, testPassword), 'content-type': 'application/json' },
      body: '{',
    });
    expect(response.status).toBe(403);
  });

  it('is reported before the errors of the request', async () => {
    const { name, userId } = await mover();
    await server.sql('delete from user_roles where user_id = $1', [userId]);
    expect(await move(999_999, name, { unknown: 1 })).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    expect(await move(999_999, name)).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
  });

  it('limits the move to the cohorts in which the user still has the right', async () => {
    const { name, userId, experiment } = await mover();
    await server.sql('delete from user_roles where user_id = $1', [userId]);
    const { cohort: elsewhere } = await world.subject();
    const give = `insert into cohort_roles (user_id, role_id, cohort_id) select $1, id, $2 from roles where name = 'superuser'`;
    await server.sql(give, [userId, elsewhere.id]);
    expect(await move(experiment, name)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const [own] = await server.sql<{ cohort_id: number }>('select cohort_id from experiments where id = $1', [
      experiment,
    ]);
    await server.sql(give, [userId, own?.cohort_id]);
    expect((await move(experiment, name)).status).toBe(200);
  });
});
