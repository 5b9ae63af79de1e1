/**
 * Ends the latest action of an experiment when all its executions are resolved: determines its success, sets variables, and takes
 * the first transition for the engine, in definition order, whose condition holds. If none holds, the experiment stays, and an
 * incident can be opened.
 */
import type { NewAction } from '../../store/experiments/change/enter-state.ts';
import type { ActionEnding } from '../../store/experiments/change/end-action.ts';
import type { IncidentChange, IncidentKind } from '../../store/experiments/change/change-incidents.ts';
import type { ChangeRecord } from '../../store/experiments/change/change-records.ts';
import type { Author } from '../../store/record/history.ts';
import type { MoveInputs, ActionExecution } from '../../store/experiments/move-inputs.ts';
import { enter, recordOf } from './change-state.ts';
import { chooseTransition, type Trial } from './choose-transition.ts';
import { conditionInputs } from './explain-transitions.ts';
import { isLooping } from './loop-limit.ts';
import type { EngineContext, Snapshot } from './optimistic-lock.ts';
import { withValues } from './read-values.ts';
import { variablesFrom } from './set-variables.ts';

export interface EndedAction {
  ending: ActionEnding;
  incidents: IncidentChange;
  action?: NewAction;
  records: ChangeRecord[];
}

const isTimedOut = ({ result }: ActionExecution) => result === 'timeout';
const isUnsuccessful = ({ status, result }: ActionExecution) => status !== 'skipped' && result !== 'success';

/**
 * The author of the end is the engine, even if a user reported the last execution. Returns undefined on a conflict with another
 * change.
 */
export async function endAction(context: EngineContext, read: Snapshot): Promise<EndedAction | undefined> {
  const snapshot = await withValues(context, read, { transitions: forEngine(read), variables: true });
  if (!snapshot) return undefined;
  const variables = variablesFrom(snapshot.inputs.executions);
  const { variables: before } = snapshot.inputs;
  const setsSome = Object.keys(variables).length > 0;
  const inputs = { ...snapshot.inputs, ...((before || setsSome) && { variables: { ...before, ...variables } }) };
  const author: Author = { kind: 'engine', id: null, requestId: context.author.requestId, operation: 'endAction' };
  const looping = await isLooping(context.db, inputs);
  return endWith({ ...snapshot, inputs }, { author, variables, looping, again: false });
}

/** Evaluates the transitions again on request. Variables keep their current values, and the loop limit does not apply. */
export async function reevaluate(
  context: EngineContext,
  read: Snapshot,
  reason: string,
): Promise<EndedAction | undefined> {
  const snapshot = await withValues(context, read, { transitions: forEngine(read) });
  const { author } = context;
  return snapshot && endWith(snapshot, { author, variables: {}, looping: false, again: true, reason });
}

const forEngine = ({ state }: Snapshot) => state.transitions.filter(({ by }) => by !== 'person');

interface Ending {
  author: Author;
  variables: Record<string, unknown>;
  looping: boolean;
  again: boolean;
  reason?: string;
}

function endWith({ inputs, state }: Snapshot, given: Ending): EndedAction {
  const { author, variables, looping, again, reason = '' } = given;
  const actionId = inputs.action_id ?? 0;
  const success = !inputs.executions.some(isUnsuccessful);
  const { trials, chosen } = chooseTransition(state, inputs);
  const stopped = chosen !== undefined && looping;
  const incident = stopped ? 'brake' : chosen ? undefined : incidentOf(inputs, success, trials);
  const ending = {
    actionId,
    success,
    returnValue: JSON.stringify(trials),
    inputs: readInputs(inputs),
    variables,
    again,
  };
  // Variables are personal: their record costs a row of its own.
  const setsSome = Object.keys(variables).length > 0;
  const ended: ChangeRecord = {
    author,
    objectKind: 'experiment',
    before: null,
    after: { action_id: actionId, success, ...(setsSome && { variables }), ...(incident && { incident }) },
    reason,
  };
  if (!chosen || stopped) return { ending, incidents: { open: opening(inputs, incident) }, records: [ended] };
  const target = { transitionId: chosen.id, destination: chosen.destination };
  // The runs that follow from a bulk move are as many as its own. What a user asks for is a single move.
  const action = { ...enter(author, inputs, target), bulk: inputs.bulk && !again, freetext: reason };
  return { ending, incidents: {}, action, records: [ended, recordOf(author, inputs, action)] };
}

/** The values that the conditions read. Fields that were not read are absent. */
function readInputs(inputs: MoveInputs): object {
  const { experiment, subject, ...others } = conditionInputs(inputs);
  return {
    ...others,
    experiment: { ...experiment, variables: inputs.variables, external_ids: inputs.external_ids },
    subject: { ...subject, external_ids: inputs.subject_external_ids },
  };
}

/** The kind of incident if the experiment stays. In a state without callbacks, staying is normal. */
function incidentOf(inputs: MoveInputs, success: boolean, trials: readonly Trial[]): IncidentKind | undefined {
  if (inputs.executions.length === 0) return undefined;
  if (inputs.executions.some(isTimedOut)) return 'timed_out';
  if (!success) return 'failed';
  return trials.some(({ test_result }) => test_result !== null) ? 'no_way_on' : undefined;
}

const details: Record<IncidentKind, (inputs: MoveInputs) => string> = {
  brake: ({ state_label }) =>
    `Stopped in ${state_label} after more than 100 automatic moves in 10 minutes. Check the workflow for a loop.`,
  failed: ({ state_label, executions }) =>
    `${namesOf(executions.filter(isUnsuccessful))} failed, and no transition out of ${state_label} applies.`,
  timed_out: ({ state_label, executions }) =>
    `${namesOf(executions.filter(isTimedOut))} timed out, and no transition out of ${state_label} applies.`,
  no_way_on: ({ state_label }) => `All callbacks succeeded, but no transition out of ${state_label} applies.`,
};

const namesOf = (executions: readonly ActionExecution[]) => executions.map(({ callback }) => callback).join(', ');

function opening(inputs: MoveInputs, kind: IncidentKind | undefined): IncidentChange['open'] {
  if (kind === undefined) return undefined;
  const failed = inputs.executions.find(isUnsuccessful);
  const detail = details[kind](inputs);
  return { kind, actionId: inputs.action_id ?? 0, executionId: failed?.id ?? null, detail };
}
