/**
 * The structure of the matrix: for each operation and each kind of outcome, test cases or the reason why there are
 * none. test/access.interface.test.ts tests who can call the operations.
 */
import type { OperationName, Operations, ProblemCode } from '@milepost/api';
import type { Parts } from '../server.ts';
import type { World } from './world.ts';

export const columns = ['success', 'validation', 'missing reference', 'conflict'] as const;
export type Column = (typeof columns)[number];

/** A request and its expected outcome. Without `as`, the caller has only the permission that the operation requires. */
export interface Expectation {
  request: Parts;
  status: number;
  /** For a rejected request: the code of the problem, and the pointers of its errors. */
  code?: ProblemCode;
  pointers?: string[];
  /** For a successful request: a part of the expected body. */
  body?: object;
  /** The expected rows in the database afterwards. */
  stored?: { query: string; values?: unknown[]; rows: object[] };
  /** The operations recorded in the history and the events. The default is the operation itself in both. */
  recorded?: { history: string[]; events: string[] };
  /** The username in the history. The default is `as`. */
  recordedAs?: string;
  /** Makes the user the owner of the object of the request, if only its owner can use it. */
  makeOwnedBy?: (username: string) => Promise<unknown>;
  /** Moves the object of the request to this account, for callers who use their own account. */
  moveToUser?: (userId: number) => Promise<unknown>;
}

/** Each case creates the data for its request. Its name states what the operation does. */
export type Cases = Readonly<Record<string, (world: World) => Expectation | Promise<Expectation>>>;

/** A cell without cases. */
export class None {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}
export const none = (reason: string) => new None(reason);

export type Cell = Cases | None;
export type Row = Readonly<Record<Column, Cell>>;
/** Does not compile if a section lacks a row for one of its operations. */
export type SectionCases<T extends Operations> = { readonly [N in keyof T]: Row };
export type Matrix = Readonly<Partial<Record<OperationName, Partial<Row>>>>;

export const readsOnly = none('A read changes nothing, so it cannot conflict.');
export const refersToNothing = none('The request refers to no other object.');

/** Finds operations without a row, rows without a cell, and cells without a case or a reason. */
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

/** `passed` is the number of passed cases of each cell. A cell shows a cross unless all of its cases passed. */
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
