/** Lets users choose the columns of a table. */
import { Button, Menu } from '@mantine/core';
import { Fragment } from 'react';
import { Icon } from '../ui/icon.tsx';

export interface ColumnGroup {
  /** Without one for the columns that every table of this kind has. */
  title?: string;
  columns: readonly { id: string; header: string }[];
}

interface Props {
  groups: readonly ColumnGroup[];
  shown: readonly string[];
  onToggle: (id: string) => void;
  onOpen: () => void;
}

export const ColumnChoice = ({ groups, shown, onToggle, onOpen }: Props) => (
  <Menu closeOnItemClick={false} position="bottom-end" onOpen={onOpen}>
    <Menu.Target>
      <Button rightSection={<Icon name="down" />}>Columns</Button>
    </Menu.Target>
    <Menu.Dropdown mah={440} style={{ overflowY: 'auto' }}>
      {groups
        .filter(({ columns }) => columns.length > 0)
        .map(({ title, columns }) => (
          <Fragment key={title ?? ''}>
            {title === undefined ? null : <Menu.Label>{title}</Menu.Label>}
            {columns.map(({ id, header }) => (
              <Menu.CheckboxItem key={id} checked={shown.includes(id)} onChange={() => onToggle(id)}>
                {header}
              </Menu.CheckboxItem>
            ))}
          </Fragment>
        ))}
    </Menu.Dropdown>
  </Menu>
);
