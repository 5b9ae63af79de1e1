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
  /** What has the focus, where the hint belongs to that. */
  focused: Element | undefined;
}

const hintId = 'hint';

const isCut = (element: HTMLElement) => element.scrollWidth > element.clientWidth;

const hasHint = (element: HTMLElement) => element.dataset['hintIf'] !== 'cut' || isCut(element);

/** Around what the pointer is on; of a button or a link that has the focus also inside of it, which the focus cannot reach. */
function hintedAt(target: Element, isFocused: boolean): HTMLElement | undefined {
  const around = target.closest<HTMLElement>('[data-hint]');
  const inside = isFocused && target.matches('a, button') ? target.querySelectorAll<HTMLElement>('[data-hint]') : [];
  return [...(around ? [around] : []), ...inside].find(hasHint);
}

function placed(element: HTMLElement, focused: Element | undefined): Shown {
  const { left, top, bottom } = element.getBoundingClientRect();
  const above = bottom > window.innerHeight - 120;
  const fits = Math.min(left, window.innerWidth - 336);
  const text = element.dataset['hint'] ?? '';
  return { text, left: Math.max(8, fits), top: above ? top - 6 : bottom + 6, above, focused };
}

const listen = (show: (shown: Shown | undefined) => void) => {
  const stop = new AbortController();
  const options = { signal: stop.signal };
  const look = ({ target, type }: Event) => {
    if (!(target instanceof Element)) return show(undefined);
    if (target.closest('[role=tooltip]')) return undefined;
    const isFocused = type === 'focusin';
    const element = hintedAt(target, isFocused);
    return show(element && placed(element, isFocused ? target : undefined));
  };
  document.addEventListener('pointerover', look, options);
  document.addEventListener('focusin', look, options);
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && show(undefined), options);
  document.addEventListener('scroll', () => show(undefined), { ...options, capture: true, passive: true });
  return () => stop.abort();
};

/** While it is shown, the hint describes what has the focus, beside what describes that already. */
function describe(focused: Element): () => void {
  const before = focused.getAttribute('aria-describedby');
  focused.setAttribute('aria-describedby', before === null ? hintId : `${before} ${hintId}`);
  return () => {
    if (before === null) focused.removeAttribute('aria-describedby');
    else focused.setAttribute('aria-describedby', before);
  };
}

export function Hints() {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => listen(setShown), []);
  const focused = shown?.focused;
  useEffect(() => (focused ? describe(focused) : undefined), [focused]);
  if (!shown) return null;
  const { text, left, top, above } = shown;
  return (
    <div
      id={hintId}
      role="tooltip"
      dir="auto"
      className={styles['hint']}
      data-above={above || undefined}
      style={{ left, top }}
    >
      {text}
    </div>
  );
}
