import { useEffect } from 'react';

/** Ctrl+K or ⌘K opens and closes the palette. A slash opens it outside text fields. */
export function usePaletteKey(setOpen: (change: (open: boolean) => boolean) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const inTextField =
        event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
      const toggles =
        event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      const opens = event.key === '/' && !inTextField && !event.ctrlKey && !event.metaKey;
      if (!toggles && !opens) return;
      event.preventDefault();
      setOpen((open) => (opens ? true : !open));
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [setOpen]);
}
