import { describe, expect, it } from 'vitest';
import type { Column } from './column.ts';
import { csvOf } from './csv.ts';

interface Row {
  label: string;
  count: number;
}

const columns: readonly Column<Row>[] = [
  { id: 'label', header: 'Label', text: ({ label }) => label, cell: () => null },
  { id: 'count', header: 'Count, all', text: ({ count }) => String(count), cell: () => null },
  { id: 'retry', header: 'Retry', control: true, text: () => 'never', cell: () => null },
];

const csv = (...labels: string[]) =>
  csvOf(
    columns,
    labels.map((label) => ({ label, count: 3 })),
  );

describe('a table as CSV', () => {
  it('has a line for the headers and one for each row, without buttons', () => {
    expect(csv('a', 'b')).toBe('Label,"Count, all"\r\na,3\r\nb,3\r\n');
  });

  it('quotes what would end a field or a line', () => {
    expect(csv('a "quoted", one\nand another')).toBe('Label,"Count, all"\r\n"a ""quoted"", one\nand another",3\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('does not let a spreadsheet take %j for a formula', (label) => {
    expect(csv(label)).toContain(`\r\n'${label},3`);
  });
});
