/** A body with more faults than anybody reads costs no more than it can: the first ones are told. */
import { operations } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leastWork } from '../../testing/least-work.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { Problem } from '../errors.ts';
import { validator } from './validate.ts';

const unknownNames = Object.fromEntries(Array.from({ length: 70_000 }, (_, index) => [`lab${index}`, 1]));

describe('a body with 70,000 unknown names', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  it('is refused within 500 ms of work, with 20 faults', () => {
    // The operation with the most names that an unknown one may be near to: a sentence for each takes 2 s and more.
    const validate = validator(operations.updateCallbackExecution.body);
    const { result: refusal, ms } = leastWork(500, () => refusalOf(() => validate(unknownNames)));
    expect(refusal.faults).toHaveLength(20);
    expect(refusal.status).toBe(400);
    expect(ms).toBeLessThan(500);
  });

  it('sent over HTTP is 400 with 20 faults', async () => {
    const { status, body } = await server.call('createCohort', { body: { label: 'x', ...unknownNames } });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.errors).toHaveLength(20);
    expect(body.errors[0]).toEqual({ pointer: '/lab0', detail: expect.stringContaining('/lab0 is not known') });
  });
});

function refusalOf(work: () => void): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('it was not refused');
}
