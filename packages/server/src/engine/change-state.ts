/**
 * Moves an experiment to the state that somebody asks for (rules 1, 8, 10 and 11; specification, section 3).
 */
import type { Author } from '../store/history.ts';
import type { MoveInputs } from '../store/move-inputs.ts';
import type { NewAction } from '../store/changes-by-moves.ts';
import type { ChangeRecord } from '../store/changes-record.ts';
import { explainTransitions, withdrawnDetail, type TransitionVerdict } from './explain-transitions.ts';
import { settleExperiment, write, type Moving } from './settle.ts';
import type { StateModel, WorkflowModel } from './workflow-model.ts';

export interface StateRequest {
  experimentId: number;
  stateLabel: string;
  freetext: string;
  /** The change is refused unless the experiment is in this state. */
  expectedState: string | undefined;
}

export type RefusalCode =
  | 'state_not_found'
  | 'no_transition'
  | 'condition_not_met'
  | 'experiment_changed'
  | 'subject_withdrawn';

export interface Refusal {
  code: RefusalCode;
  detail: string;
}

export interface StateChange {
  inputs: MoveInputs;
  /** The state the experiment is in now. */
  state: { id: number; label: string };
  refusal: Refusal | undefined;
  verdicts: TransitionVerdict[];
}

export async function changeState(moving: Moving, request: StateRequest): Promise<StateChange> {
  return settleExperiment(moving, request.experimentId, async (seen) => {
    const { inputs, model, state } = seen;
    const verdicts = explainTransitions(state, inputs, { mover: 'person' });
    const chosen = choose(request, inputs, model, verdicts);
    if ('code' in chosen) return { inputs, state, refusal: chosen, verdicts };
    const { author } = moving;
    const { transition } = chosen;
    const action = enter(author, inputs, { transitionId: transition.id, destination: transition.destination });
    const { freetext } = request;
    const change = {
      action: { ...action, freetext },
      incidents: {},
      records: [recordOf(author, inputs, { ...action, freetext })],
    };
    const written = await write(moving, seen, change);
    return written && { inputs, state: transition.destination, refusal: undefined, verdicts };
  });
}

function choose(
  { stateLabel, expectedState }: StateRequest,
  { state_label: current, withdrawn }: MoveInputs,
  model: WorkflowModel,
  verdicts: readonly TransitionVerdict[],
): TransitionVerdict | Refusal {
  if (withdrawn) return { code: 'subject_withdrawn', detail: withdrawnDetail };
  if (expectedState !== undefined && expectedState !== current) {
    return {
      code: 'experiment_changed',
      detail: `The experiment is in ${current}, not in ${expectedState} as expected.`,
    };
  }
  if (!model.statesByLabel.has(stateLabel)) {
    return { code: 'state_not_found', detail: `The workflow ${model.label} has no state ${stateLabel}.` };
  }
  const there = verdicts.filter(({ transition }) => transition.destination.label === stateLabel);
  return there.find(({ allowed }) => allowed) ?? refusalOf(there, current, stateLabel);
}

function refusalOf(there: readonly TransitionVerdict[], current: string, wanted: string): Refusal {
  const open = there.filter(({ transition }) => transition.by !== 'engine');
  if (there.length === 0) return { code: 'no_transition', detail: `No transition leads from ${current} to ${wanted}.` };
  if (open.length === 0) {
    return { code: 'no_transition', detail: `Only the engine moves experiments from ${current} to ${wanted}.` };
  }
  const reasons = open.map(({ reason }) => reason).join(' ');
  return { code: 'condition_not_met', detail: `The way from ${current} to ${wanted} is not open now. ${reasons}` };
}

export const isResolved = ({ status }: { status: string }) => status === 'finished' || status === 'skipped';

export const openExecutions = ({ executions }: MoveInputs) => executions.filter((execution) => !isResolved(execution));

/** A state without callbacks is a resting state: the action ends at once, and nothing moves by itself (rule 4). */
export const restingEnd = { success: true, returnValue: 'No callback for state' };

interface Way {
  transitionId: number;
  destination: StateModel;
}

/** The action of a move into a state: what is still open of the latest one is left behind (rule 11). */
export function enter(author: Author, inputs: MoveInputs, { transitionId, destination }: Way) {
  return {
    author,
    transitionId,
    destination,
    callbacks: destination.callbacks,
    end: destination.callbacks.length === 0 ? restingEnd : undefined,
    leftActionId: openExecutions(inputs).length > 0 ? (inputs.action_id ?? undefined) : undefined,
    freetext: '',
  };
}

export const recordOf = (
  author: Author,
  { state_label: from, state_id: fromId }: MoveInputs,
  { destination, transitionId, freetext }: NewAction,
): ChangeRecord => ({
  author,
  objectKind: 'experiment',
  before: { state: from },
  after: { state: destination.label, state_id: destination.id, transition_id: transitionId },
  told: { from_state_id: fromId },
  reason: freetext,
  entersAction: true,
});
