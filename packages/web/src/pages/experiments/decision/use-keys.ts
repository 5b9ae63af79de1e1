import { useEffect, useEffectEvent, type RefObject } from 'react';

/** A pressed letter is text in a field, and chooses an item in a list. */
const typing =
  'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable], [role=menu], [role=listbox]';

const isTyping = ({ target }: KeyboardEvent) => target instanceof Element && target.closest(typing) !== null;

/** An open dialog has the focus, so the target of the event is in it. */
const dialogOf = ({ target }: KeyboardEvent) =>
  target instanceof Element ? target.closest('dialog, [role=dialog]') : null;

/**
 * Calls the action of a pressed letter, outside text fields and menus. `within` has the buttons. In a dialog without them, letters
 * have no effect.
 */
export function useKeys(
  actions: Readonly<Record<string, (() => void) | undefined>>,
  within?: RefObject<HTMLElement | null>,
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const dialog = dialogOf(event);
    if (dialog && !(within?.current && dialog.contains(within.current))) return;
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
