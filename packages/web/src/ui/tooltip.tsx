/**
 * Tooltips on hover and focus. One element serves the whole page, so that long tables need no component per cell. Escape
 * closes it, and the pointer can move onto it.
 */
import { useEffect, useState } from 'react';
import styles from './tooltip.module.css';

export const tooltip = (text: string) => ({ 'data-tooltip': text });
/** Shown only if the text is truncated. */
export const tooltipIfTruncated = (text: string) => ({ 'data-tooltip': text, 'data-tooltip-if': 'truncated' });

export interface CardLine {
  as: 'title' | 'code' | 'text';
  text: string;
}

/** A tooltip with a title and lines of code. */
export const cardTooltip = (lines: readonly CardLine[]) => ({ 'data-tooltip': '', 'data-card': JSON.stringify(lines) });

interface Shown {
  text: string;
  card: readonly CardLine[];
  left: number;
  top: number;
  above: boolean;
  /** The focused element, if the tooltip belongs to it. */
  focused: Element | undefined;
}

const tooltipId = 'tooltip';

const isTruncated = (element: HTMLElement) =>
  element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight + 1;

const hasTooltip = (element: HTMLElement) => element.dataset['tooltipIf'] !== 'truncated' || isTruncated(element);

/** Looks at the element and its ancestors. For a focused button or link also inside, where the focus cannot go. */
function elementWithTooltip(target: Element, isFocused: boolean): HTMLElement | undefined {
  const around = target.closest<HTMLElement>('[data-tooltip]');
  const inside = isFocused && target.matches('a, button') ? target.querySelectorAll<HTMLElement>('[data-tooltip]') : [];
  return [...(around ? [around] : []), ...inside].find(hasTooltip);
}

/** A line in a graph can be as large as the page, so its tooltip is at the pointer. */
function areaOf(element: HTMLElement, event: Event) {
  if (!(event instanceof PointerEvent && element instanceof SVGElement)) return element.getBoundingClientRect();
  return { left: event.clientX + 8, top: event.clientY - 8, bottom: event.clientY + 8 };
}

function placed(element: HTMLElement, focused: Element | undefined, event: Event): Shown {
  const { left, top, bottom } = areaOf(element, event);
  const above = bottom > window.innerHeight - 120;
  const { tooltip: text = '', card = '[]' } = element.dataset;
  const fits = Math.min(left, window.innerWidth - (text === '' ? 456 : 336));
  return {
    text,
    card: JSON.parse(card) as CardLine[],
    left: Math.max(8, fits),
    top: above ? top - 6 : bottom + 6,
    above,
    focused,
  };
}

const listen = (show: (shown: Shown | undefined) => void) => {
  const stop = new AbortController();
  const options = { signal: stop.signal };
  const update = (event: Event) => {
    const { target, type } = event;
    if (!(target instanceof Element)) return show(undefined);
    if (target.closest('[role=tooltip]')) return undefined;
    const isFocused = type === 'focusin';
    const element = elementWithTooltip(target, isFocused);
    return show(element && placed(element, isFocused ? target : undefined, event));
  };
  document.addEventListener('pointerover', update, options);
  document.addEventListener('focusin', update, options);
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && show(undefined), options);
  document.addEventListener('scroll', () => show(undefined), { ...options, capture: true, passive: true });
  return () => stop.abort();
};

/** Adds the tooltip to the description of the focused element while it is shown. */
function describe(focused: Element): () => void {
  const before = focused.getAttribute('aria-describedby');
  focused.setAttribute('aria-describedby', before === null ? tooltipId : `${before} ${tooltipId}`);
  return () => {
    if (before === null) focused.removeAttribute('aria-describedby');
    else focused.setAttribute('aria-describedby', before);
  };
}

const Line = ({ as, text }: CardLine) => {
  if (as === 'code')
    return (
      <code dir="ltr" className={styles['code']}>
        {text}
      </code>
    );
  return (
    <div dir="auto" className={styles[as]}>
      {text}
    </div>
  );
};

export function PageTooltip() {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => listen(setShown), []);
  const focused = shown?.focused;
  useEffect(() => (focused ? describe(focused) : undefined), [focused]);
  if (!shown) return null;
  const { text, card, left, top, above } = shown;
  return (
    <div
      id={tooltipId}
      role="tooltip"
      dir="auto"
      className={styles['tooltip']}
      data-above={above || undefined}
      data-card={card.length > 0 || undefined}
      style={{ left, top }}
    >
      {text}
      {card.map((line, index) => (
        <Line key={index} {...line} />
      ))}
    </div>
  );
}
