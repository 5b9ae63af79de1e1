import { useEffect, useEffectEvent, type RefObject } from 'react';

/** A pressed letter is text in a field, and chooses an item in a list. */
const typing =
  'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable], [role=menu], [role=listbox]';

const isTyping = ({ target }: KeyboardEvent) => target instanceof Element && target.closest(typing) !== null;

/** An open dialog has the focus, so the target of the event is in it. */
const dialogOf = ({ target }: KeyboardEvent) =>
  target instanceof Element ? target.closest('dialog, [role=dialog]') : null;

interface Options {
  /** The buttons of the actions. In a dialog without them, keys have no effect. */
  within?: RefObject<HTMLElement | null>;
  /** Whether a key that is held down counts again. */
  repeats?: boolean;
}

/** Calls the action of a pressed key, outside text fields and menus. */
export function useKeys(
  actions: Readonly<Record<string, (() => void) | undefined>>,
  { within, repeats = false }: Options = {},
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const dialog = dialogOf(event);
    if (dialog && !(within?.current && dialog.contains(within.current))) return;
    if (isTyping(event) || (event.repeat && !repeats) || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    const action = Object.hasOwn(actions, key) ? actions[key] : undefined;
    if (!action) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
