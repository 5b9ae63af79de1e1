/** The effect of an import, for `dry_run`. Locks and writes nothing. */
import { readStateMap, strandedIn, type AffectedState, type StateMap } from './state-map.ts';
import { allowLongStatements, type Tx } from '../../database/connection.ts';
import { findWorkflowHead } from '../../store/workflows/import-definition.ts';
import { readCurrent } from './apply-import.ts';
import {
  definitionOf,
  namePlan,
  planImport,
  type Definition,
  type ImportPlan,
  type NamedPlan,
  type Warning,
} from '@milepost/definitions';
import { affectedStates, countAffected } from './affected-states.ts';

export interface ImportDryRun extends NamedPlan {
  label: string;
  outcome: ImportPlan['outcome'];
  initial: { before: string | null; after: string };
  affected_states: AffectedState[];
  strands_experiments: boolean;
  warnings: Warning[];
}

export async function dryRunImport(tx: Tx, definition: Definition, stateMap: StateMap): Promise<ImportDryRun> {
  await allowLongStatements(tx);
  const head = await findWorkflowHead(tx, definition.label);
  const current = head && (await readCurrent(tx, head));
  const plan = await planImport(current, definition);
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
