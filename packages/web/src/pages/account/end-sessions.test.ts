import { ProblemError } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { endSessions } from './end-sessions.ts';

const rejected = (status: number) =>
  new ProblemError({ status, statusText: 'QueryErrors', headers: new Headers() }, undefined);

describe('endSessions', () => {
  it('continues after an error, counts missing sessions as ended and returns all other errors', async () => {
    const busy = rejected(503);
    const errors: Record<number, Error> = { 1: rejected(404), 2: busy };
    const requested: number[] = [];
    const result = await endSessions([1, 2, 3], async (id) => {
      requested.push(id);
      await Promise.resolve();
      if (errors[id]) throw errors[id];
    });
    expect(requested).toEqual([1, 2, 3]);
    expect(result).toEqual({ ended: new Set([1, 3]), errors: [busy] });
  });
});
