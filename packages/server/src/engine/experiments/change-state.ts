/** Moves an experiment to a requested state (specification, section 3). */
import { suggestion } from '@milepost/api';
import type { Author } from '../../store/record/history.ts';
import type { MoveInputs } from '../../store/experiments/move-inputs.ts';
import type { NewAction } from '../../store/experiments/change/enter-state.ts';
import type { ChangeRecord } from '../../store/experiments/change/change-records.ts';
import { checkAnswers, knownAnswers, type Answers } from './check-answers.ts';
import { explainTransitions, withdrawnDetail, type TransitionVerdict } from './explain-transitions.ts';
import { commitChange, withExperiment, type EngineContext } from './optimistic-lock.ts';
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

export async function changeState(context: EngineContext, request: StateRequest): Promise<StateChange> {
  return withExperiment(context, request.experimentId, async (read) => {
    const snapshot = await withValues(context, read, read.state);
    if (!snapshot) return undefined;
    const { model, state } = snapshot;
    const inputs = withAnswers(snapshot.inputs, knownAnswers(state, request.variables ?? {}));
    const verdicts = explainTransitions(state, inputs, { mover: 'person' });
    const chosen = choose(request, inputs, model, verdicts);
    if ('code' in chosen) {
      const label = request.stateLabel;
      const requested = { label, id: model.statesByLabel.get(label)?.id };
      return { inputs, state, refusal: { ...chosen, requested }, verdicts };
    }
    const { author } = context;
    const { transition } = chosen;
    const action = enter(author, inputs, { transitionId: transition.id, destination: transition.destination });
    const { freetext } = request;
    const variables = checkAnswers(state, request.variables ?? {}, { waits: waitsForDecision(inputs) });
    const record = recordOf(author, inputs, { ...action, freetext });
    const setsSome = Object.keys(variables).length > 0;
    const change = {
      action: { ...action, freetext },
      incidents: {},
      ...(setsSome && { variables }),
      // An answer can name a person. Events reach everybody who follows them, and are kept outside of this service.
      records: [setsSome ? { ...record, unannounced: { variables } } : record],
    };
    const written = await commitChange(context, snapshot, change);
    return written && { inputs, state: transition.destination, refusal: undefined, verdicts };
  });
}

/** Conditions read the answers, as they read the variables that callbacks set. */
const withAnswers = (inputs: MoveInputs, answers: Answers): MoveInputs => ({
  ...inputs,
  variables: { ...inputs.variables, ...answers },
});

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
