/**
 * Retries requests that fail with 503 and Retry-After, as clients should: on a busy machine a statement may exceed its
 * timeout. The idempotency key makes the retry safe.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const methodsWithKey = new Set(['POST', 'PUT']);

export const fetchWithRetry: typeof fetch = async (address, request = {}) => {
  const headers = new Headers(request.headers);
  if (methodsWithKey.has(request.method ?? '') && !headers.has('idempotency-key'))
    headers.set('idempotency-key', randomUUID());
  for (;;) {
    const response = await fetch(address, { ...request, headers });
    const seconds = response.headers.get('retry-after');
    if (response.status !== 503 || seconds === null) return response;
    await response.body?.cancel();
    await sleep(Number(seconds) * 1000);
  }
};
