/** The command palette: searches by label and runs commands, by keyboard alone. */
import { Modal, VisuallyHidden } from '@mantine/core';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { StateChip } from '../status/state-chip.tsx';
import { Icon } from '../ui/icon.tsx';
import { contains, type PaletteItem } from './palette-item.ts';
import { useCommands } from './use-commands.ts';
import { useFoundUsers } from './use-found-users.ts';
import { useSearchResults } from './use-search-results.ts';
import styles from './palette.module.css';

const step = (index: number, by: number, length: number) => (length === 0 ? 0 : (index + by + length) % length);

interface Props {
  opened: boolean;
  onClose: () => void;
}

/** Stays mounted while it is closed, so that the focus returns to where it was. */
export function Palette({ opened, onClose }: Props) {
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  return (
    <Modal opened={opened && isMounted} onClose={onClose} withCloseButton={false} size={560} padding={0} yOffset="12vh">
      <VisuallyHidden>
        <Modal.Title>Search</Modal.Title>
      </VisuallyHidden>
      <Search onClose={onClose} />
    </Modal>
  );
}

function Search({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [selected, setSelected] = useState(0);
  const listId = useId();
  const results = useSearchResults(text.trim());
  const commands = useCommands().filter(contains(text.trim()));
  const users = useFoundUsers(text.trim());
  const items = [...results.items, ...users, ...commands];
  const choose = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    item.run();
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') choose(items[selected]);
    else if (event.key === 'ArrowDown') setSelected(step(selected, 1, items.length));
    else if (event.key === 'ArrowUp') setSelected(step(selected, -1, items.length));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={styles['field']}>
        <Icon name="search" />
        <input
          data-autofocus
          role="combobox"
          aria-label="Search by label, or go to a page"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={items.length === 0 ? undefined : `${listId}-${selected}`}
          placeholder="Search experiments, subjects, states, users, views…"
          dir="auto"
          maxLength={255}
          value={text}
          onChange={({ target }) => (setText(target.value), setSelected(0))}
          onKeyDown={press}
        />
      </div>
      <Items id={listId} items={items} selected={selected} choose={choose} />
      <p role="status" className={styles['message']}>
        {items.length === 0 ? results.message : ''}
      </p>
    </>
  );
}

interface ItemsProps {
  id: string;
  items: readonly PaletteItem[];
  selected: number;
  choose: (item: PaletteItem) => void;
}

const Items = ({ id, items, selected, choose }: ItemsProps) => (
  <div role="listbox" id={id} aria-label="Results" className={styles['items']}>
    {items.map((item, index) => (
      <div
        key={item.key}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === selected}
        className={styles['item']}
        ref={index === selected ? scrollIntoView : null}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => choose(item)}
      >
        <bdi>{item.name}</bdi>
        <span dir="auto">{item.detail}</span>
        {item.state ? <StateChip state={item.state} /> : null}
      </div>
    ))}
  </div>
);

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });
