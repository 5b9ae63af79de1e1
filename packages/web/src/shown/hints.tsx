/**
 * Hints: what appears beside something while the pointer is on it or the focus is in it. One element serves the whole
 * page, so that a table of thousands of rows carries texts and no components. Escape closes it, and it can be pointed at.
 */
import { useEffect, useState } from 'react';
import styles from './hints.module.css';

export const hint = (text: string) => ({ 'data-hint': text });
/** Only where the text does not fit into its place. */
export const hintIfCut = (text: string) => ({ 'data-hint': text, 'data-hint-if': 'cut' });

interface Shown {
  text: string;
  left: number;
  top: number;
  above: boolean;
}

const isCut = (element: HTMLElement) => element.scrollWidth > element.clientWidth;

function hintedIn(target: EventTarget | null): HTMLElement | undefined {
  const found = target instanceof Element ? target.closest<HTMLElement>('[data-hint]') : null;
  if (!found || (found.dataset['hintIf'] === 'cut' && !isCut(found))) return undefined;
  return found;
}

function placed(element: HTMLElement): Shown {
  const { left, top, bottom } = element.getBoundingClientRect();
  const above = bottom > window.innerHeight - 120;
  const fits = Math.min(left, window.innerWidth - 336);
  return { text: element.dataset['hint'] ?? '', left: Math.max(8, fits), top: above ? top - 6 : bottom + 6, above };
}

const listen = (show: (shown: Shown | undefined) => void) => {
  const stop = new AbortController();
  const options = { signal: stop.signal };
  const look = ({ target }: Event) => {
    if (target instanceof Element && target.closest('[role=tooltip]')) return;
    const element = hintedIn(target);
    show(element && placed(element));
  };
  document.addEventListener('pointerover', look, options);
  document.addEventListener('focusin', look, options);
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && show(undefined), options);
  document.addEventListener('scroll', () => show(undefined), { ...options, capture: true, passive: true });
  return () => stop.abort();
};

export function Hints() {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => listen(setShown), []);
  if (!shown) return null;
  const { text, left, top, above } = shown;
  return (
    <div role="tooltip" dir="auto" className={styles['hint']} data-above={above || undefined} style={{ left, top }}>
      {text}
    </div>
  );
}
