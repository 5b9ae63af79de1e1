/** Lets users choose the columns of a table. The choice is stored in the browser. */
import { Button, Menu } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Icon } from '../ui/icon.tsx';
import type { Column } from './column.ts';

export interface Choice<Row> {
  hidden: ReadonlySet<string>;
  /** The visible columns, in the order of the table. */
  shown: Column<Row>[];
  toggle: (id: string) => void;
}

export function useColumnChoice<Row>(table: string, columns: readonly Column<Row>[]): Choice<Row> {
  const hiddenByDefault = columns.filter((column) => column.hidden).map(({ id }) => id);
  const [ids, setIds] = useLocalStorage<string[]>({
    key: `milepost-hidden-columns-${table}`,
    defaultValue: hiddenByDefault,
    getInitialValueInEffect: false,
  });
  const hidden = new Set(Array.isArray(ids) ? ids : hiddenByDefault);
  return {
    hidden,
    shown: columns.filter(({ id }) => !hidden.has(id)),
    toggle: (id) => setIds(hidden.has(id) ? [...hidden].filter((other) => other !== id) : [...hidden, id]),
  };
}

export const ColumnChoice = <Row,>({ columns, choice }: { columns: readonly Column<Row>[]; choice: Choice<Row> }) => (
  <Menu closeOnItemClick={false} position="bottom-end">
    <Menu.Target>
      <Button rightSection={<Icon name="down" />}>Columns</Button>
    </Menu.Target>
    <Menu.Dropdown>
      {columns
        .filter(({ names, control }) => !names && !control)
        .map(({ id, header }) => (
          <Menu.CheckboxItem key={id} checked={!choice.hidden.has(id)} onChange={() => choice.toggle(id)}>
            {header}
          </Menu.CheckboxItem>
        ))}
    </Menu.Dropdown>
  </Menu>
);
