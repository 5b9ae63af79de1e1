import type { MouseEvent } from 'react';
import { tooltip } from './tooltip.tsx';

const ignore = (event: MouseEvent) => event.preventDefault();

/**
 * For a button that cannot be used now. It can still be focused, and its tooltip says why. Spread these props last, because they replace
 * `onClick`.
 */
export const unavailable = (why: string | false | undefined) =>
  why ? { 'aria-disabled': true, onClick: ignore, ...tooltip(why) } : {};
