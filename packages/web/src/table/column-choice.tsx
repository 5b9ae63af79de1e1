/** Which columns a table shows: chosen by each reader, remembered in this browser. */
import { Button, Checkbox, Menu } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Icon } from '../shown/icon.tsx';
import type { Column } from './column.ts';
import styles from './column-choice.module.css';

export interface Choice<Row> {
  hidden: ReadonlySet<string>;
  /** In the order of the table. */
  shown: Column<Row>[];
  toggle: (id: string) => void;
}

export function useColumnChoice<Row>(table: string, columns: readonly Column<Row>[]): Choice<Row> {
  const usually = columns.filter((column) => column.hidden).map(({ id }) => id);
  const [ids, setIds] = useLocalStorage<string[]>({
    key: `milepost-hidden-columns-${table}`,
    defaultValue: usually,
    getInitialValueInEffect: false,
  });
  const hidden = new Set(Array.isArray(ids) ? ids : usually);
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
          <Menu.Item
            key={id}
            role="menuitemcheckbox"
            aria-checked={!choice.hidden.has(id)}
            onClick={() => choice.toggle(id)}
          >
            <span className={styles['choice']}>
              <Checkbox.Indicator checked={!choice.hidden.has(id)} size="xs" aria-hidden="true" />
              {header}
            </span>
          </Menu.Item>
        ))}
    </Menu.Dropdown>
  </Menu>
);
