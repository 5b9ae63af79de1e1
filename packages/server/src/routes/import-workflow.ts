/** Imports of workflows (specification, section 4, Service operations). */
import type { serviceOperations } from '@milepost/api';
import { inSnapshot, inTransaction } from '../database/transaction.ts';
import { applyImport } from '../engine/definitions/apply-import.ts';
import { rehearseImport } from '../engine/definitions/apply-import-rehearsal.ts';
import { layOutWorkflow } from '../engine/definitions/lay-out-workflow.ts';
import { readDefinition } from '../engine/definitions/read-definition.ts';
import { invalidDefinition } from '../errors.ts';
import { created, ok, type Handlers } from '../http/call.ts';

type WorkflowImports = Pick<typeof serviceOperations, 'importWorkflow'>;

const pointer = '/workflow_definition';

export const importWorkflowHandlers: Handlers<WorkflowImports> = {
  async importWorkflow({ database: { db }, body, query, author, links, log, afterCommit }) {
    const { workflow_definition: text, state_map: stateMap = {} } = body;
    const read = await readDefinition(text, pointer);
    if (!read.definition) throw invalidDefinition(read.faults);
    if (query.dry_run) {
      const plan = await inSnapshot(db, (tx) => rehearseImport(tx, read, stateMap));
      return ok({ ...plan, warnings: [...read.warnings, ...plan.warnings] });
    }
    const applied = await inTransaction(db, (tx) => applyImport(tx, author, { ...read, text }, stateMap));
    const { outcome, revision } = applied;
    if (outcome !== 'identical') {
      const onError = (error: unknown) => log.warn({ err: error }, 'a workflow has no picture');
      afterCommit((later) => void layOutWorkflow(later, applied).catch(onError));
    }
    const warnings = [...read.warnings, ...applied.warnings];
    const answer = { ...links.ref('workflows', applied), outcome, revision, warnings };
    return outcome === 'new' ? created(answer) : ok(answer);
  },
};
