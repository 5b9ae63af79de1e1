/**
 * Applies a definition to its workflow ("Importing again" of the engine's law; specification, section 4, Service
 * operations): one transaction under the workflow's lock, taken before anything is read, so that no move is judged by half
 * of a definition. What is gone is retired and never deleted; experiments in it go where `state_map` says, or everything is
 * refused. Nothing starts for experiments that stay.
 */
import { allowLongStatements, type Tx } from '../../database/connection.ts';
import { listDefinedCallbacks } from '../../store/callback-versions.ts';
import * as definitions from '../../store/definitions.ts';
import type { Author } from '../../store/history.ts';
import { recordChange } from '../../store/record-change.ts';
import { moveExperiments } from '../../store/state-map-moves.ts';
import { applyParts } from './apply-import-parts.ts';
import type { Definition } from './definition.ts';
import type { Warning } from './definition-findings.ts';
import { planImport, type ImportPlan, type LivingWorkflow } from './plan-import.ts';
import { countAffected } from './plan-import-affected.ts';
import { namePlan } from './plan-import-names.ts';
import { readStateMap, strandedIn, wouldStrand, type StateMap } from './plan-import-state-map.ts';

export interface ImportedFile {
  definition: Definition;
  hash: string;
  /** As it was sent. */
  text: string;
}

export interface AppliedImport {
  id: number;
  label: string;
  revision: number;
  outcome: ImportPlan['outcome'];
  warnings: Warning[];
}

export async function applyImport(
  tx: Tx,
  author: Author,
  file: ImportedFile,
  stateMap: StateMap,
): Promise<AppliedImport> {
  const { definition } = file;
  await allowLongStatements(tx);
  const { head, living } = await lockOrInsert(tx, definition.label);
  const plan = await planImport(living, definition, file.hash);
  const { routes, warnings } = readStateMap(stateMap, living, definition, plan);
  const revision = plan.outcome === 'changed' ? head.revision + 1 : head.revision;
  const applied = { id: head.id, label: head.label, revision, outcome: plan.outcome, warnings };
  if (plan.outcome === 'identical') return applied;

  await refuseToStrand(tx, plan, living, routes);
  const stateIds = await applyParts(tx, head.id, revision, plan);
  await moveAlong(tx, author, { workflowId: head.id, revision, routes, stateIds });
  await finish(tx, author, file, {
    head,
    living,
    plan,
    revision,
    initialStateId: stateIds.get(definition.initial) ?? 0,
  });
  return applied;
}

interface Locked {
  head: definitions.WorkflowHead;
  /** Undefined where the workflow was made just now. */
  living: LivingWorkflow | undefined;
}

/** The unique label decides who makes a new workflow; everybody else waits for that import and then upgrades. */
async function lockOrInsert(tx: Tx, label: string): Promise<Locked> {
  for (;;) {
    const head = await definitions.lockWorkflowHead(tx, label);
    if (head) return { head, living: await readLiving(tx, head) };
    const made = await definitions.insertWorkflow(tx, label);
    if (made) return { head: made, living: undefined };
  }
}

export async function readLiving(tx: Tx, head: definitions.WorkflowHead): Promise<LivingWorkflow> {
  return {
    ...head,
    states: await definitions.listDefinedStates(tx, head.id),
    callbacks: await listDefinedCallbacks(tx, head.id),
    transitions: await definitions.listDefinedTransitions(tx, head.id),
  };
}

async function refuseToStrand(
  tx: Tx,
  plan: ImportPlan,
  living: LivingWorkflow | undefined,
  routes: ReadonlyMap<string, string>,
): Promise<void> {
  const stranded = strandedIn(await countAffected(tx, plan.states.retired, routes), plan);
  if (stranded.length > 0) throw wouldStrand(stranded, namePlan(plan, living));
}

interface Moving {
  workflowId: number;
  revision: number;
  routes: ReadonlyMap<string, string>;
  stateIds: ReadonlyMap<string, number>;
}

async function moveAlong(tx: Tx, author: Author, { workflowId, revision, routes, stateIds }: Moving): Promise<void> {
  const pairs = [...routes].map(([from, to]) => ({ from: stateIds.get(from) ?? 0, to: stateIds.get(to) ?? 0 }));
  const freetext = `Moved by the import of revision ${revision} of the workflow, in which the state was gone.`;
  await moveExperiments(tx, author, { workflowId, routes: pairs, freetext });
}

interface Finishing extends Locked {
  plan: ImportPlan;
  revision: number;
  initialStateId: number;
}

async function finish(tx: Tx, author: Author, file: ImportedFile, finishing: Finishing): Promise<void> {
  const { head, living, plan, revision, initialStateId } = finishing;
  await definitions.ensureEntryTransition(tx, head.id, initialStateId);
  await definitions.updateWorkflow(tx, head.id, { revision, initialStateId });
  await definitions.insertRevision(tx, {
    workflow_id: head.id,
    revision,
    definition: file.text,
    definition_hash: file.hash,
    author_id: author.kind === 'user' ? author.id : null,
  });
  await recordChange(tx, author, {
    objectKind: 'workflow',
    objectId: head.id,
    before: living ? { revision: head.revision } : null,
    after: { label: head.label, revision, definition_hash: file.hash, ...namePlan(plan, living) },
  });
}
