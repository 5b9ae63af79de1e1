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

describe('csvOf', () => {
  it('writes the headers and each row, without control columns', () => {
    expect(csv('a', 'b')).toBe('Label,"Count, all"\r\na,3\r\nb,3\r\n');
  });

  it('quotes commas, quotes and line breaks', () => {
    expect(csv('a "quoted", one\nand another')).toBe('Label,"Count, all"\r\n"a ""quoted"", one\nand another",3\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])(
    'escapes %j, which a spreadsheet would run as a formula',
    (label) => {
      expect(csv(label)).toContain(`\r\n'${label},3`);
    },
  );
});
