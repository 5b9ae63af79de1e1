/**
 * Every operation over HTTP with every kind of outcome. Prints the matrix at the end.
 *
 * @module-tag sql
 */
import { operations, type Operation, type OperationName } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cellName,
  columns,
  findGaps,
  None,
  none,
  printMatrix,
  type Column,
  type Expectation,
  type Matrix,
} from '../testing/cases/matrix.ts';
import { wholeMatrix as matrix } from '../testing/cases/whole-matrix.ts';
import { createWorld, type World } from '../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const passed = new Map<string, number>();
let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(async () => {
  process.stdout.write(printMatrix(matrix, passed));
  await server.stop();
});

describe.each(Object.keys(matrix) as OperationName[])('%s', (name) => {
  const row = matrix[name] ?? {};
  for (const column of columns) {
    const cases = row[column];
    if (cases === undefined || cases instanceof None) continue;
    it.each(Object.entries(cases))('%s', async (_behaviour, prepare) => {
      await expectOutcome(name, await prepare(world));
      const cell = cellName(name, column);
      passed.set(cell, (passed.get(cell) ?? 0) + 1);
    });
  }
});

async function expectOutcome(name: OperationName, expected: Expectation): Promise<void> {
  const { access, method }: Operation = operations[name];
  const as =
    expected.request.as === undefined ? (await world.callers.withPermission(access)).username : expected.request.as;
  const before = await lastEntries();
  const answer = await server.call(name, { ...expected.request, as });
  expect({ ...answer.body, status: answer.status }).toMatchObject({
    status: expected.status,
    ...(expected.code !== undefined && { code: expected.code }),
  });
  if (expected.pointers) expect(pointersOf(answer.body)).toEqual(expected.pointers);
  if (expected.body) expect(answer.body).toMatchObject(expected.body);
  if (expected.stored) {
    const { query, values = [], rows } = expected.stored;
    expect(await server.sql(query, values), 'stored rows').toEqual(rows);
  }
  const writes = method !== 'GET' && answer.status < 300;
  const { history = [name], events = [name] } = expected.recorded ?? {};
  const written = { history, events, as: expected.recordedAs ?? as, requestId: answer.headers.get('x-request-id') };
  await expectRecord(before, writes ? written : { ...written, history: [], events: [] });
}

const pointersOf = (problem: { errors: { pointer: string }[] }) => problem.errors.map(({ pointer }) => pointer);

interface Entries {
  history: string;
  events: string;
}

async function lastEntries(): Promise<Entries> {
  const [row] = await server.sql<Entries>(
    'select (select count(*) from history) as history, (select count(*) from events) as events',
  );
  return row ?? { history: '', events: '' };
}

interface Write {
  history: string[];
  events: string[];
  as: string | null;
  requestId: string | null;
}

/** A write adds entries under its own operation name only; any other request adds none. */
async function expectRecord(before: Entries, write: Write): Promise<void> {
  const history = await server.sql(
    `select distinct operation, actor_kind, username, request_id from history left join users on users.id = actor_id
     where history.id in (select id from history order by id offset $1)`,
    [before.history],
  );
  const events = await server.sql('select distinct kind from (select * from events order by id offset $1) as new', [
    before.events,
  ]);
  const { as: username, requestId: request_id } = write;
  const entry = (operation: string) => ({ operation, actor_kind: 'user', username, request_id });
  expect(history, 'new history').toEqual(write.history.map(entry));
  expect(events, 'new events').toEqual(write.events.map((kind) => ({ kind })));
}

const one = () => ({ request: {}, status: 200 });
const two = (column: Column): [string, number] => [cellName('listRoles', column), 2];

describe('the matrix', () => {
  it('has cases or a reason in every cell of all operations (V2.2.2)', () => {
    expect(findGaps(matrix, Object.keys(operations))).toEqual([]);
    expect(Object.keys(matrix).toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  it('reports a missing operation, cell, case or reason', () => {
    const full = { success: { one }, validation: none('a reason') };
    const planted: Matrix = { listRoles: { ...full, 'missing reference': {}, conflict: none(' ') }, getRole: full };
    expect(findGaps(planted, ['listRoles', 'getRole', 'listUsers'])).toEqual([
      'listRoles, missing reference: no case',
      'listRoles, conflict: no reason',
      'getRole, missing reference: no cell',
      'getRole, conflict: no cell',
      ...columns.map((column) => `listUsers, ${column}: no cell`),
    ]);
  });

  it('prints a cross for a cell whose cases did not pass', () => {
    const planted: Matrix = {
      listRoles: { success: { one, again: one }, validation: none('a reason'), conflict: { one } },
    };
    const printed = printMatrix(planted, new Map([two('success'), two('missing reference')]));
    expect(printed.split('\n').slice(1, 5)).toEqual([
      `operation | ${columns.join(' | ')}`,
      'listRoles | ✓2      | 1          | ✗                 | ✗       ',
      '',
      '1: a reason',
    ]);
  });
});
