/** One field for finding and for going: what is found by its label, and commands. All of it by the keyboard. */
import { Modal, VisuallyHidden } from '@mantine/core';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { Icon } from '../shown/icon.tsx';
import { useCommands } from './use-commands.ts';
import { useFound } from './use-found.ts';
import type { PaletteItem } from './palette-item.ts';
import styles from './palette.module.css';

const matches = (text: string) => (item: PaletteItem) => item.name.toLowerCase().includes(text.toLowerCase());

const step = (place: number, by: number, length: number) => (length === 0 ? 0 : (place + by + length) % length);

interface Props {
  opened: boolean;
  onClose: () => void;
}

/** It is there before it opens, and while it is closed: so the focus returns to where it was. */
export function Palette({ opened, onClose }: Props) {
  const [isThere, setIsThere] = useState(false);
  useEffect(() => setIsThere(true), []);
  return (
    <Modal opened={opened && isThere} onClose={onClose} withCloseButton={false} size={560} padding={0} yOffset="12vh">
      <VisuallyHidden>
        <Modal.Title>Find and go</Modal.Title>
      </VisuallyHidden>
      <Finding onClose={onClose} />
    </Modal>
  );
}

function Finding({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const listId = useId();
  const found = useFound(text.trim());
  const commands = useCommands().filter(matches(text.trim()));
  const items = [...found.items, ...commands];
  const choose = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    item.run();
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') choose(items[place]);
    else if (event.key === 'ArrowDown') setPlace(step(place, 1, items.length));
    else if (event.key === 'ArrowUp') setPlace(step(place, -1, items.length));
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
          aria-label="Find by label, or go to a page"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={items.length === 0 ? undefined : `${listId}-${place}`}
          placeholder="Find an experiment, subject, state…"
          dir="auto"
          maxLength={255}
          value={text}
          onChange={({ target }) => (setText(target.value), setPlace(0))}
          onKeyDown={press}
        />
      </div>
      <Items id={listId} items={items} place={place} choose={choose} />
      <p role="status" className={styles['said']}>
        {found.said}
      </p>
    </>
  );
}

interface ItemsProps {
  id: string;
  items: readonly PaletteItem[];
  place: number;
  choose: (item: PaletteItem) => void;
}

const Items = ({ id, items, place, choose }: ItemsProps) => (
  <div role="listbox" id={id} aria-label="Results" className={styles['items']}>
    {items.map((item, index) => (
      <div
        key={item.key}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === place}
        className={styles['item']}
        ref={index === place ? scrollIntoSight : null}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => choose(item)}
      >
        <bdi>{item.name}</bdi>
        <span dir="auto">{item.detail}</span>
      </div>
    ))}
  </div>
);

const scrollIntoSight = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });
