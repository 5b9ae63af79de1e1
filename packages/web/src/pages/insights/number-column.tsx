import type { Column } from '../../table/column.ts';
import { Figure } from './figure.tsx';
import { Unit } from '../../ui/unit.tsx';

interface Options<Row> {
  /** For narrow screens. */
  unit?: string;
  linkOf?: (row: Row) => string | undefined;
}

/** The cells of a column with numbers. */
export const numberColumn = <Row,>(
  text: (row: Row) => string,
  { unit, linkOf }: Options<Row> = {},
): Pick<Column<Row>, 'align' | 'text' | 'cell'> => ({
  align: 'right',
  text,
  cell: (row) => (
    <>
      <Figure text={text(row)} to={linkOf?.(row)} />
      {unit !== undefined && /^[\d<]/.test(text(row)) ? <Unit of={unit} /> : null}
    </>
  ),
});
