import { useEffect, useEffectEvent } from 'react';

/** A pressed letter is text in a field, chooses an item in a list, and has no meaning behind a dialog. */
const typing =
  'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable], dialog, [role=dialog], [role=menu], [role=listbox]';

const isTyping = ({ target }: KeyboardEvent) => target instanceof Element && target.closest(typing) !== null;

/** Calls the action of a pressed letter, outside text fields, menus and dialogs. */
export function useKeys(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event) || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (Object.hasOwn(actions, key)) actions[key]?.();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
