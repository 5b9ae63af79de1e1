import type { attemptOperations, executionListOperations } from '@milepost/api';
import { execution } from './callbacks.ts';
import { found, invalid, missingParts, noSuchId, invalidPaging } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await execution(world)).id });

export const attemptCases: SectionCases<typeof attemptOperations> = {
  listExecutionAttempts: {
    success: {
      'returns a failed and a running attempt': async (world) => {
        const { id } = await execution(world);
        await world.sql(
          `insert into execution_attempts (execution_id, attempt, secret_hash, worker, started_at, ended_at, error, log) values
             ($1, 1, decode(repeat('00', 32), 'hex'), 'w1', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z', 'lost', 'first'),
             ($1, 2, decode(repeat('01', 32), 'hex'), 'w2', '2026-01-01T00:00:06Z', null, null, '')`,
          [id],
        );
        const [started, ended] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z'];
        const attempts = [
          { attempt: 1, worker: 'w1', started_at: started, ended_at: ended, error: 'lost', log: 'first' },
          { attempt: 2, worker: 'w2', heartbeat_at: null, ended_at: null, error: null, log: '' },
        ];
        return found({ params: { id } }, { attempts });
      },
      'omits the start of a log that the client has': async (world) => {
        const { id } = await execution(world);
        await world.sql(
          `insert into execution_attempts (execution_id, attempt, secret_hash, worker, started_at, log)
             values ($1, 1, decode(repeat('02', 32), 'hex'), 'w1', now(), 'né𝄞xt')`,
          [id],
        );
        return found({ params: { id }, query: { log_from: 3 } }, { attempts: [{ attempt: 1, log: 'xt' }] });
      },
      'returns an empty log after its end': async (world) => {
        const { id } = await execution(world);
        await world.sql(
          `insert into execution_attempts (execution_id, attempt, secret_hash, worker, started_at, log)
             values ($1, 1, decode(repeat('03', 32), 'hex'), 'w1', now(), 'next')`,
          [id],
        );
        return found({ params: { id }, query: { log_from: 5 } }, { attempts: [{ attempt: 1, log: '' }] });
      },
      'returns an empty list before the first attempt': async (world) =>
        found({ params: await byId(world) }, { attempts: [] }),
    },
    validation: {
      ...invalidPaging(byId),
      'rejects a negative start of the log': async (world) =>
        invalid({ params: await byId(world), query: { log_from: -1 } }, '?log_from'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
};

export const executionListCases: SectionCases<typeof executionListOperations> = {
  listCallbackExecutions: {
    success: {
      'returns an execution that is queued': async (world) => {
        const { id } = await execution(world);
        const row = { id, uri: `/api/v2/callback_executions/${id}`, status: 'queued', result: 'none', attempt: 0 };
        return found({ query: { status: 'queued', after: id - 1 } }, { callback_executions: [row] });
      },
    },
    validation: {
      ...invalidPaging(),
      'rejects an unknown status and an unknown result': () =>
        invalid({ query: { status: 'open', result: 'ok' } }, '?status', '?result'),
    },
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
};
