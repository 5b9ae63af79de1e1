/** Prints the results of the access test as a table with a row for each operation and a column for each kind of caller. */
import { callerKinds, type CallerKind } from '../../../api/testing/callers.ts';

export interface Outcome {
  operation: string;
  caller: CallerKind;
  /** A status, followed by the code if the request was rejected. */
  expected: string;
  actual: string;
}

const statusOf = (result: string) => result.slice(0, 3);

const isUnexpected = ({ expected, actual }: Outcome) => expected !== actual;

/** The actual status, with a cross if it is unexpected. A dash if this kind of caller does not apply to the operation. */
function show(outcome: Outcome | undefined): string {
  if (!outcome) return '-';
  return isUnexpected(outcome) ? `${statusOf(outcome.actual)}✗` : statusOf(outcome.actual);
}

export function printVerdicts(operations: readonly string[], outcomes: readonly Outcome[]): string {
  const found = new Map(outcomes.map((outcome) => [`${outcome.operation}, ${outcome.caller}`, outcome]));
  const widest = Math.max(...operations.map((name) => name.length));
  const line = (first: string, cells: readonly string[]) =>
    [first.padEnd(widest), ...cells.map((cell) => cell.padEnd(4))].join(' ').trimEnd();
  const rows = operations.map((name) =>
    line(
      name,
      callerKinds.map((caller) => show(found.get(`${name}, ${caller}`))),
    ),
  );
  const numbers = callerKinds.map((_, index) => String(index + 1));
  const footnotes = callerKinds.map((caller, index) => `${index + 1}: ${caller}`);
  const count = `${outcomes.length} cells, ${outcomes.filter(isUnexpected).length} unexpected`;
  return ['', line('operation', numbers), ...rows, '', ...footnotes, '', count, ''].join('\n');
}
