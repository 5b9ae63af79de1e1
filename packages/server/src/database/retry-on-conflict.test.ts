import { expect, it } from 'vitest';
import { Conflict, retryOnConflict } from './retry-on-conflict.ts';

it('repeats work that conflicts until it succeeds', async () => {
  const waited: number[] = [];
  const conflict = new Conflict('Locked.', async (tries) => void waited.push(tries));
  const outcomes = [conflict, conflict, conflict];
  const work = async () => {
    const error = outcomes.pop();
    if (error) throw error;
    return 'saved';
  };
  expect(await retryOnConflict(work)).toBe('saved');
  expect(waited).toEqual([0, 1, 2]);
});

it('does not start another try after the deadline', async () => {
  let tries = 0;
  const conflict = new Conflict('Locked.', async (_tries, deadline) => {
    await expect.poll(() => performance.now()).toBeGreaterThan(deadline);
  });
  const work = async () => {
    tries++;
    throw conflict;
  };
  await expect(retryOnConflict(work)).rejects.toBe(conflict);
  expect(tries).toBe(1);
});

it('does not repeat work that fails for another reason', async () => {
  let tries = 0;
  const work = async () => {
    tries++;
    throw new Error('no disk space');
  };
  await expect(retryOnConflict(work)).rejects.toThrow('no disk space');
  expect(tries).toBe(1);
});
