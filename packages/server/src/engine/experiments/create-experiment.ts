/**
 * Creates an experiment in the initial state of its workflow, through the workflow's entry transition. One statement writes the
 * experiment, action, executions, history and event. It takes effect only if the workflow is unchanged since it was read.
 */
import { referenceNotFound } from '../../errors.ts';
import { writeCreation, type Creation } from '../../store/experiments/change/write-creation.ts';
import { describeWorkflow, findWorkflowRevision } from '../../store/workflows/workflows.ts';
import { rejectWithdrawn } from '../../store/study/withdrawals.ts';
import { inSpan } from '../../tracing/span.ts';
import { immediateEnd } from './change-state.ts';
import { placedEnd } from './place-experiment.ts';
import { getReferencedSubject, type SubjectReference } from './referenced-subject.ts';
import { rejectLocked, repeatChange, type EngineContext } from './optimistic-lock.ts';
import type { StateModel, WorkflowModel } from './workflow-model.ts';

export interface NewExperiment {
  subject: SubjectReference;
  label: string;
  scandate: string | null;
  /** The label, and the body field that contains it. Default: the newest workflow. */
  workflow: { value: string; pointer: string } | undefined;
}

/** Returns the experiment's id. */
export const createExperiment = (context: EngineContext, wanted: NewExperiment): Promise<number> =>
  repeatChange(context, async () => {
    // Checked on each try, because the subject may have moved to a cohort outside the caller's scope.
    const { id: subjectId } = await getReferencedSubject(context.db, context.scope, wanted.subject);
    const model = await findModel(context, wanted.workflow);
    const { id: workflowId, initial } = model;
    const attributes = { 'milepost.workflow.id': workflowId, 'milepost.next_state': initial.label };
    const written = await inSpan(
      context.trace,
      'create experiment',
      () => ({ attributes }),
      (span) =>
        writeCreation(context.db, creationOf(context, model, { ...wanted, subjectId, traceparent: span?.traceparent })),
    );
    const id = rejectLocked(context, workflowId, written);
    if (id === undefined) await rejectWithdrawn(context.db, subjectId);
    else context.wake(initial.callbacks.map(({ queue }) => queue));
    return id;
  });

async function findModel({ db, models }: EngineContext, named: NewExperiment['workflow']): Promise<WorkflowModel> {
  const workflow = await findWorkflowRevision(db, named?.value);
  const model = workflow && (await models.get(db, workflow.id, workflow.revision));
  if (model) return model;
  if (!named) throw referenceNotFound('/workflow_label', 'workflow yet. Import one first');
  throw referenceNotFound(named.pointer, describeWorkflow({ label: named.value }));
}

interface PlannedExperiment extends Pick<NewExperiment, 'label' | 'scandate'> {
  subjectId: number;
  /** Created in this state instead of the initial one, by a correction without callbacks. */
  placed?: { state: StateModel; transitionId: number } | undefined;
  /** Part of an import, whose runs have a lower priority. */
  importId?: number;
  /** Where its runs belong in a trace. */
  traceparent?: string | undefined;
}

export function creationOf(
  { author, scope }: Pick<EngineContext, 'author' | 'scope'>,
  model: WorkflowModel,
  { subjectId, label, scandate, placed, importId, traceparent }: PlannedExperiment,
): Creation {
  const state = placed?.state ?? model.initial;
  const transitionId = placed?.transitionId ?? model.entryTransitionId;
  const callbacks = placed ? [] : state.callbacks;
  const after = { label, scandate, subject_id: subjectId, state: state.label, state_id: state.id };
  const isImported = importId !== undefined;
  return {
    author,
    scope,
    subjectId,
    label,
    scandate,
    workflowId: model.id,
    revision: model.revision,
    transitionId,
    destination: state,
    callbacks,
    end: placed ? placedEnd : callbacks.length === 0 ? immediateEnd : undefined,
    bulk: isImported,
    freetext: isImported ? `Import ${importId}` : '',
    traceparent,
    rests: callbacks.length === 0 && state.transitions.length > 0,
    records: [
      {
        author,
        objectKind: 'experiment',
        before: null,
        after: { ...after, transition_id: transitionId },
        ...(isImported && { unannounced: { import_id: importId }, eventData: { import_id: importId } }),
        entersAction: true,
      },
    ],
  };
}
