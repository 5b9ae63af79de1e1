/** Above a table with selected rows: how many are selected, and what can be done to them. */
import { Button, Menu } from '@mantine/core';
import type { BulkKind } from '@milepost/api';
import { Icon } from '../ui/icon.tsx';
import { count } from '../ui/numbers.ts';
import { wordsOf } from './bulk-words.ts';
import styles from './selection-bar.module.css';

interface Props {
  /** How many rows are selected. Undefined if all that match are. */
  selected: number | undefined;
  /** How many match the query. */
  matching: number;
  /** Whether that number is a minimum. */
  more: boolean;
  kinds: readonly BulkKind[];
  /** The kind whose form is open. */
  current: BulkKind | undefined;
  onSelectAll: () => void;
  onClear: () => void;
  onChoose: (kind: BulkKind) => void;
}

/** The kinds with their own button. A menu has the others. */
const frequent: ReadonlySet<BulkKind> = new Set(['move', 'retry']);

export const SelectionBar = (props: Props) => (
  <div role="group" aria-label="Selected experiments" className={styles['bar']}>
    <Selected {...props} />
    <Button variant="subtle" onClick={props.onClear}>
      Clear
    </Button>
    <span className={styles['gap']} />
    <Kinds {...props} />
  </div>
);

function Selected({ selected, matching, more, onSelectAll }: Props) {
  if (selected === undefined)
    return (
      <span role="status">
        <b>{more ? 'All that match' : `All ${count(matching)} that match`}</b> are selected
      </span>
    );
  return (
    <>
      <span role="status">
        <b>{count(selected)}</b> selected
      </span>
      {more || matching > selected ? (
        <Button variant="subtle" onClick={onSelectAll}>
          {more ? `Select all that match (${count(matching)}+)` : `Select all ${count(matching)} that match`}
        </Button>
      ) : null}
    </>
  );
}

function Kinds({ kinds, current, onChoose }: Props) {
  const others = kinds.filter((kind) => !frequent.has(kind));
  return (
    <div className={styles['kinds']}>
      {kinds
        .filter((kind) => frequent.has(kind))
        .map((kind) => (
          <Button key={kind} data-current={kind === current || undefined} onClick={() => onChoose(kind)}>
            {wordsOf(kind).name}
          </Button>
        ))}
      {others.length === 0 ? null : (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button aria-label="More changes" data-current={others.some((kind) => kind === current) || undefined}>
              <Icon name="more" size={16} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((kind) => (
              <Menu.Item key={kind} onClick={() => onChoose(kind)}>
                {wordsOf(kind).name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}
