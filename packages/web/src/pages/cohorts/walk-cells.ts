/** The arrow keys move between the experiments of the matrix: along a row, or along a column, past subjects without one. */
import type { KeyboardEvent } from 'react';

const linkIn = (cell: Element | undefined) => cell?.querySelector<HTMLElement>('[data-experiment] > a');

function inRow(cell: Element, step: 1 | -1): HTMLElement | undefined {
  const all = [...(cell.closest('tr')?.querySelectorAll('[data-experiment]') ?? [])];
  const next = all[all.indexOf(cell) + step];
  return next?.querySelector<HTMLElement>('a') ?? undefined;
}

function inColumn(cell: Element, sibling: 'nextElementSibling' | 'previousElementSibling'): HTMLElement | undefined {
  const column = cell.closest('td')?.cellIndex ?? -1;
  for (let row = cell.closest('tr')?.[sibling]; row; row = row[sibling]) {
    const link = linkIn(row.children[column]);
    if (link) return link;
  }
  return undefined;
}

const neighbours: Readonly<Record<string, (cell: Element) => HTMLElement | undefined>> = {
  ArrowLeft: (cell) => inRow(cell, -1),
  ArrowRight: (cell) => inRow(cell, 1),
  ArrowUp: (cell) => inColumn(cell, 'previousElementSibling'),
  ArrowDown: (cell) => inColumn(cell, 'nextElementSibling'),
};

export function walkCells(event: KeyboardEvent): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const next = neighbours[event.key]?.(event.currentTarget);
  if (!next) return;
  // The page would scroll.
  event.preventDefault();
  next.focus({ preventScroll: true });
  next.closest('tr')?.scrollIntoView({ block: 'nearest' });
}
