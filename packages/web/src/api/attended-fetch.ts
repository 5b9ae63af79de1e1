/**
 * Pages refetch data automatically, which must not keep an idle session alive. Requests therefore carry a header if the
 * user has not touched the page for a minute.
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
