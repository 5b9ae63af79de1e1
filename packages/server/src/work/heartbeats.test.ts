import { expect, it } from 'vitest';
import { leaseSeconds } from '../store/runs/attempts.ts';
import { responseGraceMs } from '../database/connection.ts';
import { heartbeatMs, heartbeatRetryMs, heartbeatTimeouts } from './heartbeats.ts';
import { maxJitter, repeat } from './repeat.ts';

it('the intervals leave time for three heartbeats within a lease, even if two time out', () => {
  const longest = heartbeatTimeouts.connectMs + heartbeatTimeouts.statementMs + responseGraceMs;
  const failed = longest + heartbeatRetryMs * maxJitter;
  expect(heartbeatMs * maxJitter + 2 * failed + longest).toBeLessThan(leaseSeconds * 1000);
});

it('repeats failed work after the shorter pause', async () => {
  const failures: unknown[] = [];
  const { promise: succeeded, resolve } = Promise.withResolvers<void>();
  const work = async () => {
    if (failures.length < 2) throw new Error('No response.');
    resolve();
  };
  const anHour = 3_600_000;
  const repeating = repeat(anHour, work, (error) => failures.push(error), 1);
  await succeeded;
  expect(failures).toHaveLength(2);
  await repeating.stop();
});
