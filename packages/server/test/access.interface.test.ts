/**
 * Calls every operation as every kind of caller and compares the responses with the access rules in packages/api.
 * A rejected caller gets the expected error and changes nothing. An allowed caller succeeds. Prints the matrix at the end.
 */
import { callerKinds, verdictOn, type CallerKind, type Verdict } from '../../api/testing/callers.ts';
import { needs, operations, problemCodes, type Operation, type OperationName } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRequestBuilders } from '../testing/cases/callers.ts';
import { None, type Expectation } from '../testing/cases/matrix.ts';
import { printVerdicts, type Outcome } from '../testing/cases/verdicts.ts';
import { wholeMatrix } from '../testing/cases/whole-matrix.ts';
import { createWorld, type World } from '../testing/cases/world.ts';
import { startTestServer, type Parts, type TestServer } from '../testing/server.ts';

const names = Object.keys(operations) as OperationName[];
const outcomes: Outcome[] = [];
let server: TestServer;
let world: World;
let requestBuilders: ReturnType<typeof createRequestBuilders>;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
  requestBuilders = createRequestBuilders(world);
});
afterAll(async () => {
  process.stdout.write(printVerdicts(names, outcomes));
  await server.stop();
});

/** Prepares the operation's first successful case. */
function prepare(name: OperationName): Expectation | Promise<Expectation> {
  const success = wholeMatrix[name]?.success;
  const [first] = success === undefined || success instanceof None ? [] : Object.values(success);
  if (!first) throw new Error(`${name} has no successful case`);
  return first(world);
}

interface Cell {
  caller: CallerKind;
  verdict: Verdict;
}

/** These need the permission for the kind of the bulk operation, here of a note. */
const ofNotes = new Set<OperationName>(['createBulkOperation', 'applyBulkOperation', 'resumeBulkOperation']);
const operationOf = (name: OperationName): Operation =>
  ofNotes.has(name) ? { ...operations[name], access: needs('sample_update') } : operations[name];

const isAllowed = ({ verdict }: Cell) => verdict === 'allowed';

const cellsOf = (operation: Operation): Cell[] =>
  callerKinds.flatMap((caller) => {
    const verdict = verdictOn(operation, caller);
    return verdict === undefined ? [] : [{ caller, verdict }];
  });

const requestAs = async (name: OperationName, { caller }: Cell, expected: Expectation): Promise<Parts> =>
  requestBuilders[caller]({ operation: operationOf(name), expected });

async function recordOutcome(name: OperationName, cell: Cell, expected: Expectation, parts: Parts): Promise<void> {
  if (typeof parts.as === 'string') await expected.makeOwnedBy?.(parts.as);
  const { caller, verdict } = cell;
  const { status, body } = await server.call(name, parts);
  const wanted = verdict === 'allowed' ? String(expected.status) : `${problemCodes[verdict].status} ${verdict}`;
  const got = status < 400 ? String(status) : `${status} ${body.code}`;
  outcomes.push({ operation: name, caller, expected: wanted, actual: got });
}

/** The number of records that writes have created. */
const countRecords = () =>
  server.sql('select (select count(*) from history) as history, (select count(*) from events) as events');

/** Rejected calls change nothing, so all of them can use the same prepared case. */
async function callRejected(name: OperationName, cells: readonly Cell[]): Promise<void> {
  const expected = await prepare(name);
  const requests = [];
  for (const cell of cells) requests.push({ cell, parts: await requestAs(name, cell, expected) });
  const before = await countRecords();
  for (const { cell, parts } of requests) await recordOutcome(name, cell, expected, parts);
  expect(await countRecords(), 'records written by rejected callers').toEqual(before);
}

async function callAllowed(name: OperationName, cells: readonly Cell[]): Promise<void> {
  const isRead = operations[name].method === 'GET';
  const shared = isRead ? await prepare(name) : undefined;
  for (const cell of cells) {
    const expected = shared ?? (await prepare(name));
    await recordOutcome(name, cell, expected, await requestAs(name, cell, expected));
  }
}

const unexpected = (name: OperationName) =>
  outcomes.filter(({ operation, expected, actual }) => operation === name && expected !== actual);

describe('every kind of caller', () => {
  it.each(names)('is allowed or rejected by %s as its access rule says (V8.2.1, V8.3.1)', async (name) => {
    const cells = cellsOf(operationOf(name));
    await callRejected(
      name,
      cells.filter((cell) => !isAllowed(cell)),
    );
    await callAllowed(name, cells.filter(isAllowed));
    expect(unexpected(name)).toEqual([]);
  });

  it('is tested once with every operation to which it applies', () => {
    const cells = names.flatMap((name) => cellsOf(operationOf(name)));
    expect(outcomes).toHaveLength(cells.length);
    expect(cells.length).toBeGreaterThan(names.length * 10);
  });
});
