import { useEffect } from 'react';

/** Ctrl+K or ⌘K opens and closes the palette. */
export function usePaletteKey(setOpen: (change: (open: boolean) => boolean) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const toggles =
        event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!toggles) return;
      event.preventDefault();
      setOpen((open) => !open);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [setOpen]);
}
