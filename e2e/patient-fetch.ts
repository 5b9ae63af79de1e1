/**
 * Waits and asks again where the product answers 503 with Retry-After, as its clients should: on a busy machine a statement
 * may take longer than the product allows. The key prevents that a repeat has a second effect.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const keyed = new Set(['POST', 'PUT']);

export const patientFetch: typeof fetch = async (address, request = {}) => {
  const headers = new Headers(request.headers);
  if (keyed.has(request.method ?? '') && !headers.has('idempotency-key')) headers.set('idempotency-key', randomUUID());
  for (;;) {
    const response = await fetch(address, { ...request, headers });
    const seconds = response.headers.get('retry-after');
    if (response.status !== 503 || seconds === null) return response;
    await response.body?.cancel();
    await sleep(Number(seconds) * 1000);
  }
};
