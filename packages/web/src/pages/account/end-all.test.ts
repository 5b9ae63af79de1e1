import { ProblemError } from '@milepost/api';
import { expect, it } from 'vitest';
import { endAll } from './end-all.ts';

const refused = (status: number) =>
  new ProblemError({ status, statusText: 'Refused', headers: new Headers() }, undefined);

it('ends all sessions but those that are refused, and takes one that is gone for ended', async () => {
  const busy = refused(503);
  const answers: Record<number, Error> = { 1: refused(404), 2: busy };
  const asked: number[] = [];
  const result = await endAll([1, 2, 3], async (id) => {
    asked.push(id);
    await Promise.resolve();
    if (answers[id]) throw answers[id];
  });
  expect(asked).toEqual([1, 2, 3]);
  expect(result).toEqual({ ended: new Set([1, 3]), errors: [busy] });
});
