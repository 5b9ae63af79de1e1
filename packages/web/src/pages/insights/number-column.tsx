import type { Column } from '../../table/column.ts';
import { Unit } from './unit.tsx';

/** The cells of a column with numbers. The unit is for narrow screens. */
export const numberColumn = <Row,>(
  text: (row: Row) => string,
  unit?: string,
): Pick<Column<Row>, 'align' | 'text' | 'cell'> => ({
  align: 'right',
  text,
  cell: (row) => (
    <>
      {text(row)}
      {unit !== undefined && /^[\d<]/.test(text(row)) ? <Unit of={unit} /> : null}
    </>
  ),
});
