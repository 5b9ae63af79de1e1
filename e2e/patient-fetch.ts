/** Asks again where it is told to come again later, with a key, so that what was done after all is not done twice. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const mostTries = 20;
const keyed = new Set(['POST', 'PUT']);

export const patientFetch: typeof fetch = async (address, request = {}) => {
  const headers = new Headers(request.headers);
  if (keyed.has(request.method ?? '') && !headers.has('idempotency-key')) headers.set('idempotency-key', randomUUID());
  for (let tries = 1; ; tries++) {
    const response = await fetch(address, { ...request, headers });
    const seconds = response.headers.get('retry-after');
    if (response.status !== 503 || seconds === null || tries === mostTries) return response;
    await response.body?.cancel();
    await sleep(Number(seconds) * 1000);
  }
};
