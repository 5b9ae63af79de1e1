import {
  operations,
  type executionOperations,
  type retryOperations,
  type serviceOperations,
  type workerClaimOperations,
} from '@milepost/api';
import { execution } from './callbacks.ts';
import { found, invalid, missingParts, noSuchId, unknownParameter } from './expectations.ts';
import { none, refersToNothing, type Cases, type Expectation, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

type Operations = Pick<typeof executionOperations, 'updateCallbackExecution'> &
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

/** A failed execution, whose action has therefore ended. */
async function failed(world: World) {
  const made = await execution(world);
  await report(world, made.id, { status: 'finished', result: 'failed' });
  return made;
}

/** Claims a new execution as the user that renews the claim. */
const claimed = async (world: World) => {
  const { id } = await execution(world);
  const { username: as } = await world.callers.withPermission(operations.renewClaim.access);
  await world.claim(as);
  await world.secretOf(id);
  return id;
};

const invalidReason: Cases = {
  'rejects a reason that is a number': async (world) =>
    invalid({ params: await byId(world), body: { reason: 7 } }, '/reason'),
};

/** The start of a run is an event but not a history entry. */
const started = { history: [], events: ['startExecution'] };
const nothingRecorded = { history: [], events: [] };

export const reportCases: SectionCases<Operations> = {
  updateCallbackExecution: {
    success: {
      'changes the status to running': async (world) => {
        const params = await byId(world);
        return found(
          { params, body: { status: 'running', run_log: 'begun' } },
          { status: 'running', run_log: 'begun' },
        );
      },
    },
    validation: {
      'rejects an unknown status': async (world) =>
        invalid({ params: await byId(world), body: { status: 'done' } }, '/status'),
      'rejects result values that are not an object': async (world) =>
        invalid({ params: await byId(world), body: { result_values: [1] } }, '/result_values'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }, { status: 'running' }),
    conflict: {
      'rejects an earlier status': async (world) => {
        const params = await byId(world);
        await report(world, params.id, { status: 'running' });
        return refused('status_conflict', { params, body: { status: 'queued' } });
      },
    },
  },
  retryCallbackExecution: {
    success: {
      'retries a failed execution': async (world) => {
        const { id, actionId } = await failed(world);
        const body = { freetext: 'again', retry_of: { id: actionId }, success: false };
        return found({ params: { id }, body: { reason: 'again' } }, body);
      },
    },
    validation: invalidReason,
    'missing reference': missingParts(byId, { id: noSuchId }, {}),
    conflict: {
      'rejects an open execution': async (world) => refused('action_open', { params: await byId(world), body: {} }),
      'rejects an execution whose experiment has moved on': async (world) => {
        const { id, experiment } = await failed(world);
        await world.call('placeExperiment', {
          params: { id: experiment.id },
          body: { state: 'rejected', reason: 'checked by eye' },
        });
        return refused('nothing_to_retry', { params: { id }, body: {} });
      },
    },
  },
  retryExperiment: {
    success: {
      'retries the failed callbacks of an experiment': async (world) => {
        const { experiment, actionId } = await failed(world);
        return found({ params: { id: experiment.id }, body: {} }, { retry_of: { id: actionId }, end_time: null });
      },
    },
    validation: {
      'rejects an unknown field': async (world) =>
        invalid({ params: await byExperiment(world), body: { because: 'x' } }, '/because'),
    },
    'missing reference': missingParts(byExperiment, { id: noSuchId }, {}),
    conflict: {
      'rejects an experiment with open executions': async (world) =>
        refused('action_open', { params: await byExperiment(world), body: {} }),
      'rejects an experiment without failed callbacks': async (world) =>
        refused('nothing_to_retry', { params: { id: (await world.experiment()).id }, body: {} }),
    },
  },
  evaluateExperiment: {
    success: {
      'keeps the state if no transition applies': async (world) => {
        const { experiment } = await failed(world);
        return found({ params: { id: experiment.id }, body: {} }, { moved: false, state: { label: 'checked' } });
      },
    },
    validation: {
      'rejects an unknown field': async (world) =>
        invalid({ params: await byExperiment(world), body: { because: 'x' } }, '/because'),
    },
    'missing reference': missingParts(byExperiment, { id: noSuchId }, {}),
    conflict: {
      'rejects an experiment with open executions': async (world) =>
        refused('action_open', { params: await byExperiment(world), body: {} }),
    },
  },
  checkTimeouts: {
    success: {
      'returns zero if nothing has timed out': () => ({
        ...found({}, { run_timeouts: 0, wait_timeouts: 0 }),
        recorded: nothingRecorded,
      }),
    },
    validation: unknownParameter(async () => ({})),
    'missing reference': refersToNothing,
    conflict: none('Executions that ended in the meantime are not counted.'),
  },
  claimExecutions: {
    success: {
      'claims a queued execution': async (world) => {
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
      'claims nothing from an unknown queue': () => ({
        ...found({ body: { queues: ['unknown'] } }, { claims: [] }),
        recorded: nothingRecorded,
      }),
    },
    validation: {
      'rejects an empty list of queues': () => invalid({ body: { queues: [] } }, '/queues'),
      'rejects a request for more than 100 claims': () => invalid({ body: { queues: ['checks'], max: 101 } }, '/max'),
    },
    'missing reference': refersToNothing,
    conflict: none('Executions that another worker has claimed are not returned.'),
  },
  renewClaim: {
    success: {
      'renews a claim and appends to the log': async (world) => {
        const id = await claimed(world);
        return {
          ...found(
            { params: { execution_id: id }, body: { attempt: 1, log: 'halfway' } },
            { execution_id: id, attempt: 1, continue: true },
          ),
          recorded: nothingRecorded,
          makeOwnedBy: (username: string) =>
            world.sql('update execution_attempts set worker = $2 where execution_id = $1', [id, username]),
        };
      },
    },
    validation: {
      'rejects an attempt that is not a number': async (world) =>
        invalid({ params: { execution_id: await claimed(world) }, body: { attempt: 'first' } }, '/attempt'),
      'rejects a missing attempt from a caller without a secret': async (world) =>
        invalid({ params: { execution_id: await claimed(world) }, body: {} }, '/attempt'),
    },
    'missing reference': missingParts(
      async (world) => ({ execution_id: await claimed(world) }),
      { execution_id: noSuchId },
      { attempt: 1 },
    ),
    conflict: {
      'rejects an attempt that is no longer the latest': async (world) => {
        const id = await claimed(world);
        await world.sql('update callback_executions set attempt = 2 where id = $1', [id]);
        return refused('stale_attempt', { params: { execution_id: id }, body: { attempt: 1 } });
      },
    },
  },
};
