/** Plans some lines of an import with what is stored at this moment. */
import type { Tx } from '../../database/connection.ts';
import { readStored, type StoredValues } from '../../store/spreadsheets/stored-values.ts';
import type { LineOfFile } from '../../store/spreadsheets/import-lines.ts';
import type { DueImport } from '../../store/spreadsheets/imports.ts';
import type { EngineContext } from '../experiments/optimistic-lock.ts';
import type { WorkflowModel } from '../experiments/workflow-model.ts';
import { planLine, type LinePlan, type Rights } from './plan-line.ts';
import { placesOf, readLine } from './read-line.ts';

/** Each set of lines is one transaction. */
export type ImportContext = EngineContext & { db: Tx; model: WorkflowModel | undefined; rights: Rights };

export async function planLines(
  context: ImportContext,
  work: DueImport,
  lines: readonly LineOfFile[],
  options: { locks: boolean },
): Promise<LinePlan[]> {
  return (await planWithStored(context, work, lines, options)).plans;
}

export async function planWithStored(
  { db, model, rights }: ImportContext,
  { cohort_id: cohortId, headers, mapping }: DueImport,
  lines: readonly LineOfFile[],
  options: { locks: boolean },
): Promise<{ plans: LinePlan[]; stored: StoredValues }> {
  const sheet = { headers, mapping, now: new Date() };
  const read = lines.map((line) => readLine(sheet, line));
  const stored = await readStored(
    db,
    cohortId,
    read.map(({ wanted }) => wanted),
    options,
  );
  const inputs = { stored, model, rights, places: placesOf(mapping) };
  const plans = read.map(({ wanted, faults }) => {
    const plan = planLine(inputs, wanted);
    return { ...plan, faults: inOrder([...faults, ...plan.faults]) };
  });
  return { plans, stored };
}

const inOrder = (faults: LinePlan['faults']) => faults.toSorted((a, b) => a.place - b.place);
