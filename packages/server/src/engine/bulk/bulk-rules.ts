/**
 * What a bulk operation does to each experiment: the rules of the operations for one experiment, planned for a set. A refusal names no value
 * of an experiment, so that equal ones are counted together.
 */
import type { BulkKind } from '@milepost/api';
import { Problem } from '../../errors.ts';
import type { Refused } from '../../store/bulk/bulk-items.ts';
import { getCorrection } from '../../store/experiments/corrections.ts';
import { readVariablesOf } from '../../store/experiments/experiments.ts';
import { openExecutions, planMove, type PlannedMove } from '../experiments/change-state.ts';
import {
  commitChanges,
  type EngineContext,
  type Snapshot,
  type SnapshotChange,
} from '../experiments/optimistic-lock.ts';
import { destinationOf, planPlacing } from '../experiments/place-experiment.ts';
import { findValuesTogether } from '../experiments/read-values.ts';
import { planEvaluation } from '../runs/re-evaluate.ts';
import { planRetry } from '../runs/retry.ts';
import type { BulkRule, Plan } from './bulk-rule.ts';
import { assignRule, noteRule } from './plain-rules.ts';

/** PostgreSQL expects so many rows. Some joins of tables that were written compare all rows, so twice as many take more than twice as long. */
const maxInStatement = 100;

type PlanOne = (snapshot: Snapshot) => Promise<Plan> | Plan;

/** Values that conditions read are read for all experiments together. */
async function planEach(snapshots: readonly Snapshot[], planOne: PlanOne): Promise<Map<number, Plan>> {
  const plans = snapshots.map(async (snapshot) => {
    try {
      return [snapshot.inputs.id, await planOne(snapshot)] as const;
    } catch (error) {
      if (error instanceof Problem) return [snapshot.inputs.id, { refused: refusedBy(error) }] as const;
      throw error;
    }
  });
  return new Map(await Promise.all(plans));
}

const refusedBy = ({ code, message, faults }: Problem): Refused => ({
  code,
  detail: faults.length === 0 ? message : faults.map(({ detail }) => detail).join(' '),
});

/**
 * With the priority of bulk moves. The history finds the operation by the id of its request, and events name it.
 */
const write: BulkRule['write'] = async (context, changes, { id }) => {
  const written = new Set<number>();
  for (let start = 0; start < changes.length; start += maxInStatement) {
    const some = changes.slice(start, start + maxInStatement);
    const parts = some.map(({ snapshot, change }) => ({ snapshot, change: asPartOf(change, id) }));
    for (const experimentId of await commitChanges(context, parts)) written.add(experimentId);
  }
  return written;
};

const asPartOf = ({ action, records, ...change }: SnapshotChange, id: number): SnapshotChange => ({
  ...change,
  ...(action && { action: { ...action, bulk: true } }),
  records: records.map((record) => ({
    ...record,
    unannounced: { ...record.unannounced, bulk_operation_id: id },
    eventData: { ...record.eventData, bulk_operation_id: id },
  })),
});

const planned = (change: SnapshotChange | undefined): Plan => (change ? { change } : 'wait');

const move: BulkRule = {
  operation: 'setExperimentState',
  plan: (context, snapshots, { change: { state = '' }, reason }) => {
    const together = { ...context, findValues: findValuesTogether(context) };
    const request = { stateLabel: state, freetext: reason, expectedState: undefined };
    return planEach(snapshots, async (snapshot) => {
      const found = await planMove(together, snapshot, request);
      return found?.refusal ? { refused: refusalOf(found, state) } : planned(found?.change);
    });
  },
  write,
};

/** Names the conditions instead of the values for which they are not met. */
function refusalOf({ refusal, verdicts }: PlannedMove, state: string): Refused {
  if (refusal?.code !== 'condition_not_met') return refusal ?? { code: '', detail: '' };
  const tried = verdicts.filter(
    ({ transition: { destination, by } }) => destination.label === state && by !== 'engine',
  );
  const conditions = tried.map(({ transition: { condition } }) => condition);
  return { code: refusal.code, detail: `The condition is not met: ${conditions.join(', or ')}` };
}

/** Without the ids of the runs, which differ. */
function rejectWhileRunning({ inputs }: Snapshot): void {
  const names = [...new Set(openExecutions(inputs).map(({ callback }) => callback))];
  if (names.length > 0) throw new Problem('action_open', `A run of ${names.join(', ')} has not finished.`);
}

const retry: BulkRule = {
  operation: 'retryExperiment',
  plan: (context, snapshots, { reason }) =>
    planEach(snapshots, (snapshot) => {
      rejectWhileRunning(snapshot);
      return planned(planRetry(context, snapshot, reason));
    }),
  write,
};

const evaluate: BulkRule = {
  operation: 'evaluateExperiment',
  plan: (context, snapshots, { reason }) => {
    const together = { ...context, findValues: findValuesTogether(context) };
    return planEach(snapshots, async (snapshot) => {
      rejectWhileRunning(snapshot);
      return planned(await planEvaluation(together, snapshot, reason));
    });
  },
  write,
};

const place: BulkRule = {
  operation: 'placeExperiment',
  plan: async (
    context,
    snapshots,
    { change: { state = '', run_callbacks: runCallbacks = false }, reason, isDryRun },
  ) => {
    const transitions = isDryRun ? undefined : await readCorrections(context, snapshots, state);
    return planEach(snapshots, (snapshot) => {
      const destination = destinationOf(snapshot.model, state);
      const transitionId = transitions ? transitions.get(snapshot.state.id) : 0;
      if (typeof transitionId !== 'number') return 'wait';
      return planned(planPlacing(context, snapshot, { transitionId, destination, reason, runCallbacks }));
    });
  },
  write,
};

/** By the id of the state that is left. */
async function readCorrections({ db }: EngineContext, snapshots: readonly Snapshot[], label: string) {
  const found = new Map<number, Awaited<ReturnType<typeof getCorrection>>>();
  for (const { model, state } of snapshots) {
    const destination = model.statesByLabel.get(label);
    if (!destination || found.has(state.id)) continue;
    found.set(state.id, await getCorrection(db, model.id, state.id, destination.id));
  }
  return found;
}

const setVariables: BulkRule = {
  operation: 'setExperimentVariable',
  plan: async ({ db, author }, snapshots, { change: { variables = {} }, reason }) => {
    const ids = snapshots.map(({ inputs }) => inputs.id);
    const before = await readVariablesOf(db, ids, Object.keys(variables));
    return planEach(snapshots, ({ inputs: { id } }) => {
      // Events have no values of variables, which can name a person.
      const replaced = { unannounced: { variables }, unannouncedBefore: { variables: before.get(id) ?? {} } };
      const record = { author, objectKind: 'experiment' as const, before: {}, after: {}, reason, ...replaced };
      return planned({ variables, records: [record] });
    });
  },
  write,
};

export const bulkRules: Record<BulkKind, BulkRule> = {
  move,
  retry,
  evaluate,
  place,
  set_variables: setVariables,
  assign: assignRule,
  note: noteRule,
};
