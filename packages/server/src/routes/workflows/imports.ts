/** Workflow imports (specification, section 4, Service operations). */
import type { serviceOperations } from '@milepost/api';
import { inSnapshot, inTransaction } from '../../database/transaction.ts';
import { applyImport } from '../../engine/workflows/apply-import.ts';
import { dryRunImport } from '../../engine/workflows/dry-run-import.ts';
import { layOutWorkflow } from '../../engine/workflows/lay-out-workflow.ts';
import { unknownSystems, type ReadDefinition, type SystemUse, type Warning } from '@milepost/definitions';
import type { Db } from '../../database/connection.ts';
import { findExternalSystems, listSystemNames } from '../../store/study/external-systems.ts';
import { readDefinition } from '../../engine/workflows/read-definition.ts';
import { markResting } from '../../store/experiments/resting.ts';
import { invalidDefinition } from '../../errors.ts';
import { created, ok, type Call, type TwoPhaseHandlers } from '../../http/call.ts';

type WorkflowImports = Pick<typeof serviceOperations, 'importWorkflow'>;

const pointer = '/workflow_definition';

export const importWorkflowHandlers: TwoPhaseHandlers<WorkflowImports> = {
  importWorkflow: {
    async first({ body, database: { db } }) {
      const read = await readDefinition(body.workflow_definition, pointer);
      if (read.definition) return (call) => importRead(call, read);
      throw invalidDefinition(read.faults, [...read.warnings, ...(await findMissingSystems(db, read.systems))]);
    },
  },
};

/** Warns about the systems that the file names and that are not defined yet. */
async function findMissingSystems(db: Db, systems: readonly SystemUse[]): Promise<Warning[]> {
  if (systems.length === 0) return [];
  const found = await findExternalSystems(
    db,
    systems.map(({ name }) => name),
  );
  const known = found.map((system) => system.system_name);
  // The others are suggestions.
  return known.length === systems.length ? [] : unknownSystems(systems, [...known, ...(await listSystemNames(db))]);
}

async function importRead(
  { database: { db }, body, query, author, links, log, afterCommit }: Call<WorkflowImports['importWorkflow']>,
  read: ReadDefinition,
) {
  const { workflow_definition: text, state_map: stateMap = {} } = body;
  const missing = await findMissingSystems(db, read.systems);
  if (query.dry_run) {
    const plan = await inSnapshot(db, (tx) => dryRunImport(tx, read.definition, stateMap));
    return ok({ ...plan, warnings: [...read.warnings, ...missing, ...plan.warnings] });
  }
  const applied = await inTransaction(db, (tx) =>
    applyImport(tx, author, { definition: read.definition, text }, stateMap),
  );
  const { outcome, revision } = applied;
  if (outcome !== 'identical') {
    afterCommit((later) => {
      void layOutWorkflow(later, applied).catch((error: unknown) =>
        log.warn({ err: error }, 'failed to lay out the workflow graph'),
      );
      void markResting(later, { workflowId: applied.id }).catch((error: unknown) =>
        log.warn({ err: error }, 'failed to mark the experiments that rest'),
      );
    });
  }
  const warnings = [...read.warnings, ...missing, ...applied.warnings];
  const answer = { ...links.ref('workflows', applied), outcome, revision, warnings };
  return outcome === 'new' ? created(answer) : ok(answer);
}
