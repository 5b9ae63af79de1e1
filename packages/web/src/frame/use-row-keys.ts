/**
 * `j` and `k` move between the rows of the tables of a page, by the focus of their links. Enter then opens the row, and `x` selects it if
 * the table has checkboxes.
 */
import { useKeys } from '../ui/use-keys.ts';

const rowLinks = () =>
  [...document.querySelectorAll<HTMLElement>('main tbody [data-names] a')].filter((link) => link.checkVisibility());

function moveBy(step: 1 | -1): void {
  const links = rowLinks();
  const current = document.activeElement?.closest('tr');
  const at = links.findIndex((link) => link.closest('tr') === current);
  const next = at < 0 ? links[0] : links[at + step];
  next?.focus({ preventScroll: true });
  next?.closest('tr')?.scrollIntoView({ block: 'nearest' });
}

function toggleRow(): void {
  document.activeElement?.closest('tr')?.querySelector<HTMLElement>('td[data-select] input')?.click();
}

export function useRowKeys(): void {
  useKeys({ j: () => moveBy(1), k: () => moveBy(-1) }, { repeats: true });
  useKeys({ x: toggleRow });
}
