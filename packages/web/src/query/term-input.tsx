/** The text field for the next term of a query, with completion. */
import { Combobox, useCombobox } from '@mantine/core';
import { queries } from '@milepost/api';
import type { KeyboardEvent, RefObject, SyntheticEvent } from 'react';
import type { Offer } from './completions.ts';
import type { Draft } from './use-draft.ts';
import { useOffers } from './use-offers.ts';
import styles from './query-field.module.css';

interface Props {
  field: RefObject<HTMLInputElement | null>;
  draft: Draft;
  placeholder: string;
  /** The id of the errors, if there are any. */
  errorId: string | undefined;
  /** Called for Backspace in the empty field. */
  onBackspace: () => void;
}

export function TermInput({ field, draft, placeholder, errorId, onBackspace }: Props) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const { at, offers } = useOffers(draft.text, draft.cursor, combobox.dropdownOpened);
  const choose = ({ insert, isComplete }: Offer) => {
    const text = draft.text.slice(0, at.position) + insert + draft.text.slice(at.position + at.length);
    combobox.resetSelectedOption();
    if (isComplete) draft.apply(text);
    else draft.edit(text, at.position + insert.length);
  };
  const press = (event: KeyboardEvent) => {
    const isAtEnd = draft.cursor === draft.text.length;
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && combobox.getSelectedOptionIndex() < 0) {
      draft.apply(draft.text);
      combobox.closeDropdown();
    } else if (event.key === ' ' && isAtEnd && draft.isTerm) draft.apply(draft.text);
    else if (event.key === 'Backspace' && draft.text === '' && !event.repeat) onBackspace();
    else return;
    event.preventDefault();
  };
  const moveCursor = ({ currentTarget: { value, selectionStart } }: SyntheticEvent<HTMLInputElement>) => {
    if (value === draft.text && selectionStart !== draft.cursor) draft.edit(value, selectionStart ?? 0);
  };
  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width="max-content"
      onOptionSubmit={(index) => offers.slice(Number(index), Number(index) + 1).forEach(choose)}
    >
      <Combobox.Target withExpandedAttribute>
        <input
          ref={field}
          data-slash
          role="combobox"
          className={styles['input']}
          aria-label="Query"
          aria-invalid={errorId !== undefined}
          aria-describedby={errorId}
          placeholder={placeholder}
          spellCheck={false}
          dir="auto"
          maxLength={queries.maxQueryLength}
          value={draft.text}
          onChange={({ currentTarget: { value, selectionStart } }) => {
            draft.edit(value, selectionStart ?? value.length);
            combobox.resetSelectedOption();
            combobox.openDropdown();
          }}
          onSelect={moveCursor}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={press}
        />
      </Combobox.Target>
      <Offers offers={offers} />
    </Combobox>
  );
}

const Offers = ({ offers }: { offers: readonly Offer[] }) => (
  <Combobox.Dropdown hidden={offers.length === 0} className={styles['dropdown'] ?? ''}>
    <Combobox.Options aria-label="Completions" className={styles['options'] ?? ''}>
      {offers.map(({ text, detail }, index) => (
        <Combobox.Option key={`${index} ${text}`} value={String(index)} className={styles['option'] ?? ''}>
          <code>{text}</code>
          <span>{detail}</span>
        </Combobox.Option>
      ))}
    </Combobox.Options>
  </Combobox.Dropdown>
);
