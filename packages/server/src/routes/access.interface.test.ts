/**
 * Every built operation by every kind of caller, against what packages/api says that each is answered. Whoever is
 * refused hears exactly that and has changed nothing; whoever is let in succeeds. Prints the matrix when it is done.
 */
import {
  callerKinds,
  operations,
  problemCodes,
  verdictOn,
  type CallerKind,
  type Operation,
  type OperationName,
  type Verdict,
} from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApproaches } from '../../testing/cases/callers.ts';
import { None, type Expectation } from '../../testing/cases/matrix.ts';
import { printVerdicts, type Outcome } from '../../testing/cases/verdicts.ts';
import { wholeMatrix } from '../../testing/cases/whole-matrix.ts';
import { createWorld, type World } from '../../testing/cases/world.ts';
import { startTestServer, type Parts, type TestServer } from '../../testing/server.ts';
import { builtOperations } from '../app.ts';

const built = Object.keys(builtOperations) as OperationName[];
const outcomes: Outcome[] = [];
let server: TestServer;
let world: World;
let approaches: ReturnType<typeof createApproaches>;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
  approaches = createApproaches(world);
});
afterAll(async () => {
  process.stdout.write(printVerdicts(built, outcomes));
  await server.stop();
});

/** The request of the first case of success. */
function prepare(name: OperationName): Expectation | Promise<Expectation> {
  const success = wholeMatrix[name]?.success;
  const [first] = success === undefined || success instanceof None ? [] : Object.values(success);
  if (!first) throw new Error(`${name} needs a request that succeeds`);
  return first(world);
}

interface Cell {
  caller: CallerKind;
  verdict: Verdict;
}

const isAllowed = ({ verdict }: Cell) => verdict === 'allowed';

const cellsOf = (operation: Operation): Cell[] =>
  callerKinds.flatMap((caller) => {
    const verdict = verdictOn(operation, caller);
    return verdict === undefined ? [] : [{ caller, verdict }];
  });

const comeAs = async (name: OperationName, { caller }: Cell, expected: Expectation): Promise<Parts> =>
  approaches[caller]({ operation: operations[name], expected });

async function ask(name: OperationName, cell: Cell, expected: Expectation, parts: Parts): Promise<void> {
  if (typeof parts.as === 'string') await expected.ownedBy?.(parts.as);
  const { caller, verdict } = cell;
  const { status, body } = await server.call(name, parts);
  const wanted = verdict === 'allowed' ? String(expected.status) : `${problemCodes[verdict].status} ${verdict}`;
  const got = status < 400 ? String(status) : `${status} ${body.code}`;
  outcomes.push({ operation: name, caller, wanted, got });
}

/** All that a write leaves behind. */
const marks = () =>
  server.sql('select (select count(*) from history) as history, (select count(*) from events) as events');

/** What is refused leaves everything as it was, so that the next one can be refused the same request. */
async function askRefused(name: OperationName, cells: readonly Cell[]): Promise<void> {
  const expected = await prepare(name);
  const coming = [];
  for (const cell of cells) coming.push({ cell, parts: await comeAs(name, cell, expected) });
  const before = await marks();
  for (const { cell, parts } of coming) await ask(name, cell, expected, parts);
  expect(await marks(), 'what those who were refused left behind').toEqual(before);
}

async function askAllowed(name: OperationName, cells: readonly Cell[]): Promise<void> {
  const isRead = operations[name].method === 'GET';
  const shared = isRead ? await prepare(name) : undefined;
  for (const cell of cells) {
    const expected = shared ?? (await prepare(name));
    await ask(name, cell, expected, await comeAs(name, cell, expected));
  }
}

const unexpected = (name: OperationName) =>
  outcomes.filter(({ operation, wanted, got }) => operation === name && wanted !== got);

describe('every caller of', () => {
  it.each(built)('%s (V8.2.1, V8.3.1)', async (name) => {
    const cells = cellsOf(operations[name]);
    await askRefused(
      name,
      cells.filter((cell) => !isAllowed(cell)),
    );
    await askAllowed(name, cells.filter(isAllowed));
    expect(unexpected(name)).toEqual([]);
  });

  it('all of them was asked once', () => {
    const cells = built.flatMap((name) => cellsOf(operations[name]));
    expect(outcomes).toHaveLength(cells.length);
    expect(cells.length).toBeGreaterThan(built.length * 10);
  });
});
