import { operations } from '@milepost/api';
import type { callbackOperations, retryOperations, serviceOperations, workerClaimOperations } from '@milepost/api';
import { execution } from './callbacks.ts';
import { found, invalid, missingParts, noSuchId, unknownParameter } from './expectations.ts';
import { none, refersToNothing, type Cases, type Expectation, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

type Built = Pick<typeof callbackOperations, 'updateCallbackExecution'> &
  typeof retryOperations &
  typeof workerClaimOperations &
  Pick<typeof serviceOperations, 'checkTimeouts'>;

const byId = async (world: World) => ({ id: (await execution(world)).id });
const byExperiment = async (world: World) => ({ id: (await execution(world)).experiment.id });

const refused = (code: NonNullable<Expectation['code']>, request: Expectation['request']): Expectation => ({
  request,
  status: 409,
  code,
});

const report = (world: World, id: number, body: object) =>
  world.call('updateCallbackExecution', { params: { id }, body });

/** An execution that failed, so that its action has ended. */
async function failed(world: World) {
  const made = await execution(world);
  await report(world, made.id, { status: 'finished', result: 'failed' });
  return made;
}

/** By whoever is going to renew it. */
const claimed = async (world: World) => {
  const { id } = await execution(world);
  const { username: as } = await world.people.having(operations.renewClaim.access);
  await world.claim(as);
  await world.secretOf(id);
  return id;
};

const tooLongReason: Cases = {
  'a reason of another kind': async (world) => invalid({ params: await byId(world), body: { reason: 7 } }, '/reason'),
};

/** Somebody begins a run: no words for the history, but an event. */
const started = { history: [], events: ['startExecution'] };
const nothingRecorded = { history: [], events: [] };

export const reportCases: SectionCases<Built> = {
  updateCallbackExecution: {
    success: {
      'it runs': async (world) => {
        const params = await byId(world);
        return found(
          { params, body: { status: 'running', run_log: 'begun' } },
          { status: 'running', run_log: 'begun' },
        );
      },
    },
    validation: {
      'an unknown status': async (world) => invalid({ params: await byId(world), body: { status: 'done' } }, '/status'),
      'values that are no object': async (world) =>
        invalid({ params: await byId(world), body: { result_values: [1] } }, '/result_values'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }, { status: 'running' }),
    conflict: {
      'back to an earlier status': async (world) => {
        const params = await byId(world);
        await report(world, params.id, { status: 'running' });
        return refused('status_conflict', { params, body: { status: 'queued' } });
      },
    },
  },
  retryCallbackExecution: {
    success: {
      'one that failed': async (world) => {
        const { id, actionId } = await failed(world);
        const body = { freetext: 'again', retry_of: { id: actionId }, success: false };
        return found({ params: { id }, body: { reason: 'again' } }, body);
      },
    },
    validation: tooLongReason,
    'missing reference': missingParts(byId, { id: noSuchId }, {}),
    conflict: {
      'one that is open': async (world) => refused('action_open', { params: await byId(world), body: {} }),
      'one whose experiment went on': async (world) => {
        const { id, experiment } = await failed(world);
        await world.call('placeExperiment', {
          params: { id: experiment.id },
          body: { state: 'rejected', reason: 'seen by eye' },
        });
        return refused('nothing_to_retry', { params: { id }, body: {} });
      },
    },
  },
  retryExperiment: {
    success: {
      'a callback that failed': async (world) => {
        const { experiment, actionId } = await failed(world);
        return found({ params: { id: experiment.id }, body: {} }, { retry_of: { id: actionId }, end_time: null });
      },
    },
    validation: {
      'a field that nobody knows': async (world) =>
        invalid({ params: await byExperiment(world), body: { because: 'x' } }, '/because'),
    },
    'missing reference': missingParts(byExperiment, { id: noSuchId }, {}),
    conflict: {
      'executions are open': async (world) => refused('action_open', { params: await byExperiment(world), body: {} }),
      'nothing failed': async (world) =>
        refused('nothing_to_retry', { params: { id: (await world.experiment()).id }, body: {} }),
    },
  },
  evaluateExperiment: {
    success: {
      'no way is open to the engine': async (world) => {
        const { experiment } = await failed(world);
        return found({ params: { id: experiment.id }, body: {} }, { moved: false, state: { label: 'checked' } });
      },
    },
    validation: {
      'a field that nobody knows': async (world) =>
        invalid({ params: await byExperiment(world), body: { because: 'x' } }, '/because'),
    },
    'missing reference': missingParts(byExperiment, { id: noSuchId }, {}),
    conflict: {
      'executions are open': async (world) => refused('action_open', { params: await byExperiment(world), body: {} }),
    },
  },
  checkTimeouts: {
    success: {
      'nothing is over': () => ({
        ...found({}, { run_timeouts: 0, wait_timeouts: 0 }),
        recorded: nothingRecorded,
      }),
    },
    validation: unknownParameter(async () => ({})),
    'missing reference': refersToNothing,
    conflict: none('What somebody else has ended in the meantime is not counted.'),
  },
  claimExecutions: {
    success: {
      'one that waits': async (world) => {
        await world.call('claimExecutions', { body: { queues: ['checks'], max: 100 } });
        const { id, experiment } = await execution(world);
        const claim = {
          execution: { id },
          attempt: 1,
          queue: 'checks',
          arguments: { queue: 'checks' },
          experiment: { id: experiment.id },
        };
        return { ...found({ body: { queues: ['checks', 'others'] } }, { claims: [claim] }), recorded: started };
      },
      'none in a queue that nobody knows': () => ({
        ...found({ body: { queues: ['nobody knows me'] } }, { claims: [] }),
        recorded: nothingRecorded,
      }),
    },
    validation: {
      'no queue': () => invalid({ body: { queues: [] } }, '/queues'),
      'more than can be claimed at once': () => invalid({ body: { queues: ['checks'], max: 101 } }, '/max'),
    },
    'missing reference': refersToNothing,
    conflict: none('What another worker has claimed is not among the claims.'),
  },
  renewClaim: {
    success: {
      'with a line for the log': async (world) => {
        const id = await claimed(world);
        return {
          ...found(
            { params: { execution_id: id }, body: { attempt: 1, log: 'half way' } },
            { execution_id: id, attempt: 1, continue: true },
          ),
          recorded: nothingRecorded,
          ownedBy: (username: string) =>
            world.sql('update execution_attempts set worker = $2 where execution_id = $1', [id, username]),
        };
      },
    },
    validation: {
      'an attempt that is no number': async (world) =>
        invalid({ params: { execution_id: await claimed(world) }, body: { attempt: 'first' } }, '/attempt'),
      'no attempt, by somebody without a secret': async (world) =>
        invalid({ params: { execution_id: await claimed(world) }, body: {} }, '/attempt'),
    },
    'missing reference': missingParts(
      async (world) => ({ execution_id: await claimed(world) }),
      { execution_id: noSuchId },
      { attempt: 1 },
    ),
    conflict: {
      'a newer attempt': async (world) => {
        const id = await claimed(world);
        await world.sql('update callback_executions set attempt = 2 where id = $1', [id]);
        return refused('stale_attempt', { params: { execution_id: id }, body: { attempt: 1 } });
      },
    },
  },
};
