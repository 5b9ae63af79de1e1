/**
 * Ends the latest action of an experiment when all of its executions are resolved, and chooses the way on (rules 4 to 6, 15
 * and 16): its success, the variables that its executions set, then the first transition for the engine, in definition
 * order, whose condition holds. Where none holds the experiment stays, and somebody may have to look at it.
 */
import type { NewAction } from '../store/changes-by-moves.ts';
import type { ActionEnding } from '../store/changes-of-executions.ts';
import type { IncidentChange, IncidentKind } from '../store/changes-of-incidents.ts';
import type { ChangeRecord } from '../store/changes-record.ts';
import type { Author } from '../store/history.ts';
import type { MoveInputs, OpenOrEndedExecution } from '../store/move-inputs.ts';
import { enter, recordOf } from './change-state.ts';
import { chooseTransition, type Trial } from './choose-transition.ts';
import { conditionInputs } from './explain-transitions.ts';
import { isBraked } from './brake.ts';
import type { Moving, Seen } from './settle.ts';
import { variablesFrom } from './set-variables.ts';

export interface EndedAction {
  ending: ActionEnding;
  incidents: IncidentChange;
  action?: NewAction;
  records: ChangeRecord[];
}

const isWell = ({ status, result }: OpenOrEndedExecution) => status === 'skipped' || result === 'success';

/** By itself: what follows is the engine's doing, whoever reported. */
export async function endAction(moving: Moving, seen: Seen): Promise<EndedAction> {
  const variables = variablesFrom(seen.inputs.executions);
  const inputs = { ...seen.inputs, variables: { ...seen.inputs.variables, ...variables } };
  const author: Author = { kind: 'engine', id: null, requestId: moving.author.requestId, operation: 'endAction' };
  const braked = await isBraked(moving.db, inputs);
  return wayOn({ ...seen, inputs }, { author, variables, braked, again: false });
}

/** Again, because somebody asked: the variables stay as they are now, and the brake is off. */
export const judgeAgain = ({ author }: Moving, seen: Seen, reason: string): EndedAction =>
  wayOn(seen, { author, variables: {}, braked: false, again: true, reason });

interface Circumstances {
  author: Author;
  variables: Record<string, unknown>;
  braked: boolean;
  again: boolean;
  reason?: string;
}

function wayOn({ inputs, state }: Seen, circumstances: Circumstances): EndedAction {
  const { author, variables, braked, again, reason = '' } = circumstances;
  const actionId = inputs.action_id ?? 0;
  const success = inputs.executions.every(isWell);
  const { trials, chosen } = chooseTransition(state, inputs);
  const stops = chosen !== undefined && braked;
  const incident = stops ? 'brake' : chosen ? undefined : incidentOf(inputs, success, trials);
  const ending = {
    actionId,
    success,
    returnValue: JSON.stringify(trials),
    inputs: conditionInputs(inputs),
    variables,
    again,
  };
  const ended: ChangeRecord = {
    author,
    objectKind: 'experiment',
    before: null,
    after: { action_id: actionId, success, variables, ...(incident && { incident }) },
    reason,
  };
  if (!chosen || stops) return { ending, incidents: { open: opening(inputs, incident) }, records: [ended] };
  const way = { transitionId: chosen.id, destination: chosen.destination };
  const action = { ...enter(author, inputs, way), freetext: reason };
  return { ending, incidents: {}, action, records: [ended, recordOf(author, inputs, action)] };
}

/** What kind of attention an experiment needs that stayed; a resting state is a good place to stay. */
function incidentOf(inputs: MoveInputs, success: boolean, trials: readonly Trial[]): KindOfEnd | undefined {
  if (inputs.executions.length === 0) return undefined;
  if (inputs.executions.some(({ result }) => result === 'timeout')) return 'timed_out';
  if (!success) return 'failed';
  return trials.some(({ test_result }) => test_result !== null) ? 'no_way_on' : undefined;
}

type KindOfEnd = Exclude<IncidentKind, 'unclaimed'>;

const sentences: Record<KindOfEnd, (inputs: MoveInputs) => string> = {
  brake: ({ state_label }) =>
    `More than 100 automatic moves in 10 minutes: the experiment was stopped in ${state_label}. Look for a circle in the workflow.`,
  failed: ({ state_label, executions }) =>
    `${namesOf(executions.filter((execution) => !isWell(execution)))} did not succeed, and no way leads on from ${state_label}.`,
  timed_out: ({ state_label, executions }) =>
    `${namesOf(executions.filter(({ result }) => result === 'timeout'))} took too long, and no way leads on from ${state_label}.`,
  no_way_on: ({ state_label }) => `All went well, but no condition of a transition from ${state_label} holds.`,
};

const namesOf = (executions: readonly OpenOrEndedExecution[]) => executions.map(({ callback }) => callback).join(', ');

function opening(inputs: MoveInputs, kind: KindOfEnd | undefined): IncidentChange['open'] {
  if (kind === undefined) return undefined;
  const culprit = inputs.executions.find((execution) => !isWell(execution));
  const detail = sentences[kind](inputs);
  return { kind, actionId: inputs.action_id ?? 0, executionId: culprit?.id ?? null, detail };
}
