/** What an import would do, for `dry_run`: nothing is locked and nothing is written, so it can be asked at any time. */
import { allowLongStatements, type Tx } from '../../database/connection.ts';
import { findWorkflowHead } from '../../store/definitions.ts';
import { readLiving } from './apply-import.ts';
import type { Definition } from './definition.ts';
import type { Warning } from './definition-findings.ts';
import { definitionOf, planImport, type ImportPlan } from './plan-import.ts';
import { affectedStates, countAffected } from './plan-import-affected.ts';
import { namePlan, type NamedPlan } from './plan-import-names.ts';
import { readStateMap, strandedIn, type AffectedState, type StateMap } from './plan-import-state-map.ts';

export interface ImportRehearsal extends NamedPlan {
  label: string;
  outcome: ImportPlan['outcome'];
  initial: { before: string | null; after: string };
  affected_states: AffectedState[];
  strands_experiments: boolean;
  warnings: Warning[];
}

export async function rehearseImport(
  tx: Tx,
  { definition, hash }: { definition: Definition; hash: string },
  stateMap: StateMap,
): Promise<ImportRehearsal> {
  await allowLongStatements(tx);
  const head = await findWorkflowHead(tx, definition.label);
  const living = head && (await readLiving(tx, head));
  const plan = await planImport(living, definition, hash);
  const { routes, warnings } = readStateMap(stateMap, living, definition, plan);
  const affected = await countAffected(tx, affectedStates(plan, living), routes);
  return {
    label: definition.label,
    outcome: plan.outcome,
    initial: { before: living ? definitionOf(living).initial : null, after: definition.initial },
    ...namePlan(plan, living),
    affected_states: affected,
    strands_experiments: strandedIn(affected, plan).length > 0,
    warnings,
  };
}
