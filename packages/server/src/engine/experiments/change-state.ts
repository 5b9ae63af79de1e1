/** Moves an experiment to a requested state (specification, section 3). */
import { suggestion } from '@milepost/api';
import type { Author } from '../../store/record/history.ts';
import type { MoveInputs } from '../../store/experiments/move-inputs.ts';
import type { NewAction } from '../../store/experiments/change/enter-state.ts';
import type { ChangeRecord } from '../../store/experiments/change/change-records.ts';
import { checkAnswers, knownAnswers, type Answers } from './check-answers.ts';
import { explainTransitions, withdrawnDetail, type TransitionVerdict } from './explain-transitions.ts';
import {
  commitChange,
  withExperiment,
  type EngineContext,
  type Snapshot,
  type SnapshotChange,
} from './optimistic-lock.ts';
import { withValues } from './read-values.ts';
import type { StateModel, WorkflowModel } from './workflow-model.ts';

export interface StateRequest {
  experimentId: number;
  stateLabel: string;
  freetext: string;
  /** If given, the move is rejected unless the experiment is in this state. */
  expectedState: string | undefined;
  /** The answers to the fields of the decision in its state. */
  variables?: Answers | undefined;
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
  refusal: (Refusal & { requested: { label: string; id: number | undefined } }) | undefined;
  verdicts: TransitionVerdict[];
}

export const changeState = (context: EngineContext, request: StateRequest): Promise<StateChange> =>
  withExperiment(context, request.experimentId, async (read) => {
    const planned = await planMove(context, read, request);
    if (!planned) return undefined;
    const { snapshot, verdicts, refusal, change } = planned;
    const { inputs, state, model } = snapshot;
    if (refusal) {
      const label = request.stateLabel;
      const requested = { label, id: model.statesByLabel.get(label)?.id };
      return { inputs, state, refusal: { ...refusal, requested }, verdicts };
    }
    const written = await commitChange(context, snapshot, change);
    return written && { inputs, state: change.action.destination, refusal: undefined, verdicts };
  });

type MoveChange = SnapshotChange & { action: NewAction };

export type PlannedMove = { snapshot: Snapshot; verdicts: TransitionVerdict[] } & (
  | { refusal: Refusal; change?: undefined }
  | { refusal?: undefined; change: MoveChange }
);

/** Undefined on a conflict with another change. */
export async function planMove(
  context: EngineContext,
  read: Snapshot,
  request: Omit<StateRequest, 'experimentId'>,
): Promise<PlannedMove | undefined> {
  const found = await withValues(context, read, read.state);
  if (!found) return undefined;
  const { model, state } = found;
  const inputs = withAnswers(found.inputs, knownAnswers(state, request.variables ?? {}));
  const snapshot = { ...found, inputs };
  const verdicts = explainTransitions(state, inputs, { mover: 'person' });
  const chosen = choose(request, inputs, model, verdicts);
  if ('code' in chosen) return { snapshot, verdicts, refusal: chosen };
  const answers = checkAnswers(state, request.variables ?? {}, { waits: waitsForDecision(inputs) });
  return { snapshot, verdicts, change: moveAlong(context.author, inputs, chosen.transition, { ...request, answers }) };
}

function moveAlong(
  author: Author,
  inputs: MoveInputs,
  { id: transitionId, destination }: TransitionVerdict['transition'],
  { freetext, answers }: { freetext: string; answers: Answers },
): MoveChange {
  const action = { ...enter(author, inputs, { transitionId, destination }), freetext };
  const record = recordOf(author, inputs, action);
  const setsSome = Object.keys(answers).length > 0;
  return {
    action,
    incidents: {},
    ...(setsSome && { variables: answers }),
    // An answer can name a person. Events reach everybody who follows them, and are kept outside of this service.
    records: [setsSome ? { ...record, unannounced: { variables: answers } } : record],
  };
}

/** Conditions read the answers, as they read the variables that callbacks set. */
const withAnswers = (inputs: MoveInputs, answers: Answers): MoveInputs => ({
  ...inputs,
  variables: { ...inputs.variables, ...answers },
});

function choose(
  { stateLabel, expectedState }: Omit<StateRequest, 'experimentId'>,
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
    return { code: 'state_not_found', detail: stateNotFound(stateLabel, model) };
  }
  const candidates = verdicts.filter(({ transition }) => transition.destination.label === stateLabel);
  return candidates.find(({ allowed }) => allowed) ?? refusalOf(candidates, current, stateLabel);
}

export const stateNotFound = (label: string, { label: workflow, statesByLabel }: WorkflowModel): string =>
  `No state "${label}" in workflow "${workflow}". ${suggestion(label, [...statesByLabel.keys()])}`;

function refusalOf(candidates: readonly TransitionVerdict[], current: string, wanted: string): Refusal {
  const forUsers = candidates.filter(({ transition }) => transition.by !== 'engine');
  if (candidates.length === 0)
    return { code: 'no_transition', detail: `No transition leads from ${current} to ${wanted}.` };
  if (forUsers.length === 0) {
    return { code: 'no_transition', detail: `Only the engine can move experiments from ${current} to ${wanted}.` };
  }
  const reasons = forUsers.map(({ reason }) => reason).join(' ');
  const detail = `The transition from ${current} to ${wanted} cannot be taken now. ${reasons}`;
  return { code: 'condition_not_met', detail };
}

export const isResolved = ({ status }: { status: string }) => status === 'finished' || status === 'skipped';

/** While a run or an incident is open, pages show no form. */
const waitsForDecision = (inputs: MoveInputs) => openExecutions(inputs).length === 0 && !inputs.has_incidents;

export const openExecutions = ({ executions }: MoveInputs) => executions.filter((execution) => !isResolved(execution));

/** The action into a state without callbacks ends at once, and the engine does not move the experiment on. */
export const immediateEnd = { success: true, returnValue: 'No callback for state' };

interface Target {
  transitionId: number;
  destination: StateModel;
}

/** The action of a move into a state. It supersedes the latest action if that one still has open executions. */
export function enter(author: Author, inputs: MoveInputs, { transitionId, destination }: Target) {
  return {
    author,
    transitionId,
    destination,
    callbacks: destination.callbacks,
    end: destination.callbacks.length === 0 ? immediateEnd : undefined,
    leftActionId: openExecutions(inputs).length > 0 ? (inputs.action_id ?? undefined) : undefined,
    bulk: false,
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
  eventData: { from_state_id: fromId },
  reason: freetext,
  entersAction: true,
});
