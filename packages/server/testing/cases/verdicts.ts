/** Who was answered what, as a table: one line for each operation, one column for each kind of caller. */
import { callerKinds, type CallerKind } from '@milepost/api';

export interface Outcome {
  operation: string;
  caller: CallerKind;
  /** A status, with the code of a refusal. */
  wanted: string;
  got: string;
}

const statusOf = (answer: string) => answer.slice(0, 3);

const isUnexpected = ({ wanted, got }: Outcome) => wanted !== got;

/** The status that came, with a cross where another answer was wanted; a dash where the caller cannot come so. */
function show(outcome: Outcome | undefined): string {
  if (!outcome) return '-';
  return isUnexpected(outcome) ? `${statusOf(outcome.got)}✗` : statusOf(outcome.got);
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
