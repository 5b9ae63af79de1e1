/**
 * Tooltips on hover and focus. One element serves the whole page, so that long tables need no component per cell. Escape
 * closes it, and the pointer can move onto it.
 */
import { useEffect, useState } from 'react';
import styles from './hints.module.css';

export const hint = (text: string) => ({ 'data-hint': text });
/** Shown only if the text is truncated. */
export const hintIfCut = (text: string) => ({ 'data-hint': text, 'data-hint-if': 'cut' });

interface Shown {
  text: string;
  left: number;
  top: number;
  above: boolean;
  /** The focused element, if the hint belongs to it. */
  focused: Element | undefined;
}

const hintId = 'hint';

const isCut = (element: HTMLElement) => element.scrollWidth > element.clientWidth;

const hasHint = (element: HTMLElement) => element.dataset['hintIf'] !== 'cut' || isCut(element);

/** Looks at the element and its ancestors. For a focused button or link also inside, where the focus cannot go. */
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
  const update = ({ target, type }: Event) => {
    if (!(target instanceof Element)) return show(undefined);
    if (target.closest('[role=tooltip]')) return undefined;
    const isFocused = type === 'focusin';
    const element = hintedAt(target, isFocused);
    return show(element && placed(element, isFocused ? target : undefined));
  };
  document.addEventListener('pointerover', update, options);
  document.addEventListener('focusin', update, options);
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && show(undefined), options);
  document.addEventListener('scroll', () => show(undefined), { ...options, capture: true, passive: true });
  return () => stop.abort();
};

/** Adds the hint to the description of the focused element while it is shown. */
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
