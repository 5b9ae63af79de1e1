/**
 * Pages ask by themselves when something has changed. That is no use of the session, which ends when it is left alone: a
 * request says so where nobody has touched the page for a while.
 */
import { unattended } from '@milepost/api';

const attendedMilliseconds = 60_000;

let touched = 0;
for (const event of ['pointerdown', 'keydown', 'wheel', 'touchmove']) {
  addEventListener(event, () => (touched = performance.now()), { capture: true, passive: true });
}

export const attendedFetch: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  if (performance.now() - touched > attendedMilliseconds) headers.set(unattended, 'true');
  return fetch(input, { ...init, headers });
};
