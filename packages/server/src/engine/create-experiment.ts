/**
 * Makes an experiment in the start state of its workflow, by the workflow's entry transition (rules 1 and 9): experiment,
 * action, executions, history and event are one statement, which counts only if the workflow is still what was read.
 */
import type { Db } from '../database/connection.ts';
import { Problem, referenceNotFound } from '../errors.ts';
import { writeCreation, type Creation } from '../store/changes.ts';
import type { Scope } from '../store/scope.ts';
import { describeSubject, findSubject, type SubjectRow } from '../store/subjects.ts';
import { describeWorkflow, findWorkflow } from '../store/workflows.ts';
import { refuseWithdrawn } from '../store/withdrawals.ts';
import { restingEnd } from './change-state.ts';
import type { Moving } from './settle.ts';
import type { WorkflowModel } from './workflow-model.ts';

export interface NewExperiment {
  subjectId: number;
  label: string;
  scandate: string | null;
  /** Without one it is the newest workflow. */
  workflowLabel: string | undefined;
}

const mostTries = 20;

/** Answers the experiment's id. */
export async function createExperiment(moving: Moving, wanted: NewExperiment): Promise<number> {
  for (let tries = 0; tries < mostTries; tries++) {
    // Each time: a subject may have been moved to a cohort that the caller may not see.
    await subjectReferredTo(moving.db, moving.scope, wanted.subjectId);
    const model = await newestModel(moving, wanted.workflowLabel);
    const id = await writeCreation(moving.db, entering(moving, model, wanted));
    if (id !== undefined) {
      moving.wake(model.initial.callbacks.map(({ queue }) => queue));
      return id;
    }
    await refuseWithdrawn(moving.db, wanted.subjectId);
  }
  throw new Problem('busy', 'The workflow is being changed. Nothing was saved; try again.', { retryAfterSeconds: 1 });
}

/** The subject that a body refers to by its id. */
export async function subjectReferredTo(db: Db, scope: Scope, id: number): Promise<SubjectRow> {
  const subject = await findSubject(db, scope, { id });
  if (!subject) throw referenceNotFound('/subject_id', describeSubject({ id }));
  return subject;
}

async function newestModel({ db, models }: Moving, label: string | undefined): Promise<WorkflowModel> {
  const workflow = await findWorkflow(db, label);
  const model = workflow && (await models.get(db, workflow.id, workflow.revision));
  if (model) return model;
  const missing = label === undefined ? 'workflow yet: import one first' : describeWorkflow({ label });
  throw referenceNotFound('/workflow_label', missing);
}

function entering(
  { author, scope }: Moving,
  model: WorkflowModel,
  { subjectId, label, scandate }: NewExperiment,
): Creation {
  const { initial, entryTransitionId } = model;
  const after = { label, scandate, subject_id: subjectId, state: initial.label, state_id: initial.id };
  return {
    author,
    scope,
    subjectId,
    label,
    scandate,
    workflowId: model.id,
    revision: model.revision,
    transitionId: entryTransitionId,
    destination: initial,
    callbacks: initial.callbacks,
    end: initial.callbacks.length === 0 ? restingEnd : undefined,
    freetext: '',
    records: [
      {
        author,
        objectKind: 'experiment',
        before: null,
        after: { ...after, transition_id: entryTransitionId },
        entersAction: true,
      },
    ],
  };
}
