/** The effect of an import, for `dry_run`. Locks and writes nothing. */
import { allowLongStatements, type Tx } from '../../database/connection.ts';
import { findWorkflowHead } from '../../store/definitions.ts';
import { readCurrent } from './apply-import.ts';
import type { Definition } from './definition.ts';
import type { Warning } from './definition-findings.ts';
import { definitionOf, planImport, type ImportPlan } from './plan-import.ts';
import { affectedStates, countAffected } from './plan-import-affected.ts';
import { namePlan, type NamedPlan } from './plan-import-names.ts';
import { readStateMap, strandedIn, type AffectedState, type StateMap } from './plan-import-state-map.ts';

export interface ImportDryRun extends NamedPlan {
  label: string;
  outcome: ImportPlan['outcome'];
  initial: { before: string | null; after: string };
  affected_states: AffectedState[];
  strands_experiments: boolean;
  warnings: Warning[];
}

export async function dryRunImport(
  tx: Tx,
  { definition, hash }: { definition: Definition; hash: string },
  stateMap: StateMap,
): Promise<ImportDryRun> {
  await allowLongStatements(tx);
  const head = await findWorkflowHead(tx, definition.label);
  const current = head && (await readCurrent(tx, head));
  const plan = await planImport(current, definition, hash);
  const { routes, warnings } = readStateMap(stateMap, current, definition, plan);
  const affected = await countAffected(tx, affectedStates(plan, current), routes);
  return {
    label: definition.label,
    outcome: plan.outcome,
    initial: { before: current ? definitionOf(current).initial : null, after: definition.initial },
    ...namePlan(plan, current),
    affected_states: affected,
    strands_experiments: strandedIn(affected, plan).length > 0,
    warnings,
  };
}
