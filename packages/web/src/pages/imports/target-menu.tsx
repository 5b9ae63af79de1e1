/** Chooses what a column contains. */
import { Menu } from '@mantine/core';
import { Fragment } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { targetName, type ImportColumn } from './import-words.ts';
import { choicesOf, type TargetChoice } from './mapping.ts';
import styles from './imports.module.css';

interface Props {
  column: ImportColumn;
  systems: readonly string[];
  onChange: (target: Pick<ImportColumn, 'target' | 'name' | 'template'>) => void;
}

const keyOf = ({ target, name }: Pick<TargetChoice, 'target' | 'name'>) => `${target} ${name ?? ''}`;

export function TargetMenu({ column, systems, onChange }: Props) {
  const { header, target, name } = column;
  const current = targetName(target, name);
  const choose = (choice: TargetChoice) =>
    keyOf(choice) === keyOf(column) || onChange({ target: choice.target, name: choice.name, template: null });
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button
          type="button"
          className={styles['targetButton']}
          data-ignored={target === 'ignored' || undefined}
          aria-label={`${header} maps to ${current}`}
        >
          <bdi>{current}</bdi>
          <Icon name="down" size={12} />
        </button>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        <Menu.RadioGroup value={keyOf(column)}>
          {choicesOf(column, systems).map(({ title, choices }) => (
            <Fragment key={title}>
              <Menu.Label>{title}</Menu.Label>
              {choices.map((choice) => (
                <Menu.RadioItem
                  key={keyOf(choice)}
                  value={keyOf(choice)}
                  closeMenuOnClick
                  onChange={() => choose(choice)}
                >
                  <bdi>{choice.label}</bdi>
                </Menu.RadioItem>
              ))}
            </Fragment>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
