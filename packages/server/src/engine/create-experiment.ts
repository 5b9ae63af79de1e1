/**
 * Makes an experiment in the start state of its workflow, by the workflow's entry transition (rules 1 and 9): experiment,
 * action, executions, history and event are one statement, which counts only if the workflow is still what was read.
 */
import { Problem, referenceNotFound } from '../errors.ts';
import { writeCreation } from '../store/moves.ts';
import { describeWorkflow, findWorkflow } from '../store/workflows.ts';
import { restingEnd, type Moving } from './change-state.ts';
import type { WorkflowModel } from './workflow-model.ts';

export interface NewExperiment {
  subjectId: number;
  label: string;
  scandate: string | null;
  /** Without one it is the newest workflow. */
  workflowLabel: string | undefined;
}

const mostTries = 20;

/** The subject must exist. Answers the experiment's id. */
export async function createExperiment(moving: Moving, wanted: NewExperiment): Promise<number> {
  for (let tries = 0; tries < mostTries; tries++) {
    const id = await writeCreation(
      moving.db,
      moving.author,
      entering(await newestModel(moving, wanted.workflowLabel), wanted),
    );
    if (id !== undefined) return id;
  }
  throw new Problem('busy', 'The workflow is being changed. Nothing was saved; try again.', { retryAfterSeconds: 1 });
}

async function newestModel({ db, models }: Moving, label: string | undefined): Promise<WorkflowModel> {
  const workflow = await findWorkflow(db, label);
  const model = workflow && (await models.get(db, workflow.id, workflow.revision));
  if (model) return model;
  const missing = label === undefined ? 'workflow yet: import one first' : describeWorkflow({ label });
  throw referenceNotFound('/workflow_label', missing);
}

const entering = (model: WorkflowModel, { subjectId, label, scandate }: NewExperiment) => ({
  subjectId,
  label,
  scandate,
  workflowId: model.id,
  revision: model.revision,
  transitionId: model.entryTransitionId,
  destination: model.initial,
  callbacks: model.initial.callbacks,
  end: model.initial.callbacks.length === 0 ? restingEnd : undefined,
  freetext: '',
});
