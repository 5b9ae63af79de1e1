/**
 * Imports the next lines of a checked spreadsheet in one transaction, with their results. So a line is imported once, even if a worker
 * dies. Each line is planned again with what is stored now.
 */
import { insertFaults, listNextLines, saveOutcomes, type LineOutcome } from '../../store/spreadsheets/import-lines.ts';
import { updateImport, type DueImport } from '../../store/spreadsheets/imports.ts';
import { paceAfter } from '../due-sets.ts';
import { applyPlans } from './apply-plans.ts';
import { countFaults } from './check-lines.ts';
import { changesSomething, createsExperiment, createsSubject, type LinePlan } from './plan-line.ts';
import { planWithStored, type ImportContext } from './plan-lines.ts';

export async function importLines(
  context: ImportContext,
  work: DueImport,
  { limit, perSecond }: { limit: number; perSecond: number },
): Promise<void> {
  const { db: tx, model } = context;
  const started = performance.now();
  const { id, position: after, cohort_id: cohortId } = work;
  const lines = await listNextLines(tx, { importId: id, after, limit: Math.min(limit, perSecond) }, 'ready');
  const { plans, stored } = await planWithStored(context, work, lines, { locks: true });
  const correct = plans.filter(({ faults }) => faults.length === 0);
  await applyPlans(
    { context, importId: id, cohortId, model, stored },
    correct.filter((plan) => changesSomething(plan)),
  );
  const outcomes = await saveImported(context, work, plans);
  const isLast = work.ready === lines.length;
  const { afterSeconds, per_minute } = paceAfter({
    started,
    changed: lines.length,
    rate: perSecond,
    perMinute: work.per_minute,
  });
  await updateImport(
    tx,
    id,
    {
      position: lines.at(-1)?.line ?? after,
      ...(isLast && { status: 'finished' as const }),
      ...countsAfter(work, plans, outcomes),
      per_minute,
    },
    { afterSeconds },
  );
}

function countsAfter(work: DueImport, plans: readonly LinePlan[], outcomes: readonly LineOutcome[]) {
  const { ready, faulty, done, column_faults } = work;
  const faults = plans.flatMap((plan) => plan.faults);
  const faultyNow = plans.filter((plan) => plan.faults.length > 0).length;
  return {
    ready: ready - plans.length,
    faulty: faulty + faultyNow,
    done: done + plans.length - faultyNow,
    column_faults: countFaults(column_faults, faults),
    new_subjects: work.new_subjects + outcomes.filter(({ newSubject }) => newSubject).length,
    new_experiments: work.new_experiments + outcomes.filter(({ newExperiment }) => newExperiment).length,
  };
}

async function saveImported(
  { db: tx, model }: ImportContext,
  { id }: DueImport,
  plans: readonly LinePlan[],
): Promise<LineOutcome[]> {
  const subjects = new Set<string>();
  const outcomes = plans.map((plan): LineOutcome => {
    const { wanted, faults, experiment, state } = plan;
    const isDone = faults.length === 0;
    const newSubject = isDone && createsSubject(plan) && !subjects.has(wanted.subject);
    if (newSubject) subjects.add(wanted.subject);
    return {
      line: wanted.line,
      result: isDone ? 'done' : 'faulty',
      subject: wanted.subject,
      experiment: wanted.experiment,
      state: wanted.experiment === null ? null : (experiment?.state ?? state?.label ?? model?.initial.label ?? null),
      newSubject,
      newExperiment: isDone && createsExperiment(plan),
    };
  });
  await saveOutcomes(tx, id, outcomes);
  const faults = plans.flatMap((plan) => plan.faults.map((fault) => ({ line: plan.wanted.line, ...fault })));
  await insertFaults(tx, id, faults);
  return outcomes;
}
