/**
 * The shape of the matrix: for each built operation and each way a request can end, cases, or the reason why there are
 * none. Who may make the request follows from the table, and is asked by routes/access.interface.test.ts.
 */
import type { OperationName, Operations, ProblemCode } from '@milepost/api';
import type { Parts } from '../server.ts';
import type { World } from './world.ts';

export const columns = ['success', 'validation', 'missing reference', 'conflict'] as const;
export type Column = (typeof columns)[number];

/** A request, and what has to come of it. Without `as` it is made by somebody who has just what the operation needs. */
export interface Expectation {
  request: Parts;
  status: number;
  /** Of a refusal: the code of the problem, and the pointers of its errors. */
  code?: ProblemCode;
  pointers?: string[];
  /** Of a success: what the body must hold. */
  body?: object;
  /** What is in the database afterwards. */
  stored?: { query: string; values?: unknown[]; rows: object[] };
  /** What a success leaves in the history and the events, where it is not its own name in both. */
  recorded?: { history: string[]; events: string[] };
  /** The username under which it is recorded, where that is not `as`. */
  by?: string;
  /** Makes what the request is about this user's own, where it is nobody else's to touch. */
  ownedBy?: (username: string) => Promise<unknown>;
  /** Puts what the request is about below this account, for those who come to their own. */
  below?: (userId: number) => Promise<unknown>;
}

/** Makes what the request needs, and says what is expected. Named by what is particular about the request. */
export type Cases = Readonly<Record<string, (world: World) => Expectation | Promise<Expectation>>>;

/** An empty cell. */
export class None {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}
export const none = (reason: string) => new None(reason);

export type Cell = Cases | None;
export type Row = Readonly<Record<Column, Cell>>;
/** A section without a row for one of its operations does not compile. */
export type SectionCases<T extends Operations> = { readonly [N in keyof T]: Row };
export type Matrix = Readonly<Partial<Record<OperationName, Partial<Row>>>>;

export const readsOnly = none('Reading changes nothing, so nothing can conflict.');
export const refersToNothing = none('The request refers to nothing that could be missing.');

/** What the matrix lacks: an operation without a row, a row without a cell, a cell without case or reason. */
export function findGaps(matrix: Matrix, operations: readonly string[]): string[] {
  return operations.flatMap((name) =>
    columns.flatMap((column) => {
      const cell = matrix[name as OperationName]?.[column];
      if (cell === undefined) return [`${name}, ${column}: no cell`];
      if (cell instanceof None) return cell.reason.trim() === '' ? [`${name}, ${column}: no reason`] : [];
      return Object.keys(cell).length === 0 ? [`${name}, ${column}: no case`] : [];
    }),
  );
}

/** `passed` holds how many cases of each cell did as expected; a cell shows a cross unless all of them did. */
export function printMatrix(matrix: Matrix, passed: ReadonlyMap<string, number>): string {
  const reasons: string[] = [];
  const numberOf = (reason: string) => (reasons.includes(reason) ? reasons.indexOf(reason) + 1 : reasons.push(reason));
  const show = (name: string, column: Column) => {
    const cell = matrix[name as OperationName]?.[column] ?? {};
    if (cell instanceof None) return String(numberOf(cell.reason));
    const count = Object.keys(cell).length;
    if (count === 0 || passed.get(cellName(name, column)) !== count) return '✗';
    return count === 1 ? '✓' : `✓${count}`;
  };
  const names = Object.keys(matrix);
  const widest = Math.max(...names.map((name) => name.length));
  const line = (first: string, cells: readonly string[]) =>
    `${first.padEnd(widest)} | ${cells.map((cell, index) => cell.padEnd(columns[index]?.length ?? 0)).join(' | ')}`;
  const rows = names.map((name) =>
    line(
      name,
      columns.map((column) => show(name, column)),
    ),
  );
  const footnotes = reasons.map((reason, index) => `${index + 1}: ${reason}`);
  return ['', line('operation', columns), ...rows, '', ...footnotes, ''].join('\n');
}

export const cellName = (operation: string, column: Column) => `${operation}, ${column}`;
