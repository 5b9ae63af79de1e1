/** A table whose columns are aligned. The widths come from the first rows, so that a long list is printed while it is read. */
import { shortened } from '@milepost/api/client';
import { styleText } from 'node:util';
import { cellText, shortTime, valueAt, type Row } from './cells.ts';
import { visibleLine } from './visible-text.ts';
import { writeOutput } from './write-output.ts';

const rowsForWidths = 200;
const widest = 60;

/** `state.label` has the heading STATE, and `actor.name` ACTOR. */
const heading = (column: string) =>
  column
    .replace(/\.(?:label|name)$/, '')
    .replaceAll(/[_.]/g, ' ')
    .toUpperCase();

const textOf = (row: Row, column: string) => visibleLine(shortTime(cellText(valueAt(row, column))));

/** Only the last column is shown whole in a terminal, because it needs no room for others. */
const fitting = (cells: string[]) =>
  process.stdout.isTTY ? cells.map((text, index) => (index === cells.length - 1 ? text : cutTo(widest, text))) : cells;

/** The mark of the cut is part of the width. */
const cutTo = (width: number, text: string) => (text.length > width ? shortened(text, width - 1) : text);

const lineOf = (cells: readonly string[], widths: readonly number[]) =>
  cells.map((text, index) => (index === cells.length - 1 ? text : text.padEnd(widths[index] ?? 0))).join('  ');

export async function writeTable(rows: AsyncIterable<Row>, columns: readonly string[]): Promise<number> {
  let widths: number[] | undefined;
  let count = 0;
  const first: string[][] = [];
  const begin = async () => {
    const all = [columns.map(heading), ...first];
    widths = columns.map((_, index) => Math.min(widest, Math.max(...all.map((cells) => cells[index]?.length ?? 0))));
    await writeOutput(`${styleText('bold', lineOf(columns.map(heading), widths), { stream: process.stdout })}\n`);
    for (const cells of first) await writeOutput(`${lineOf(cells, widths)}\n`);
  };
  for await (const row of rows) {
    count += 1;
    const cells = fitting(columns.map((column) => textOf(row, column)));
    if (widths) await writeOutput(`${lineOf(cells, widths)}\n`);
    else if (first.push(cells) === rowsForWidths) await begin();
  }
  if (!widths && count > 0) await begin();
  return count;
}

/** One object: a line for each field. */
export async function writeFields(row: Row, columns: readonly string[]): Promise<void> {
  const width = Math.max(...columns.map((column) => column.length)) + 2;
  for (const column of columns) {
    const text = textOf(row, column);
    await writeOutput(`${`${column}:`.padEnd(width)}${text}`.trimEnd() + '\n');
  }
}
