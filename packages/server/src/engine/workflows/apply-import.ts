/**
 * Applies a definition to its workflow (specification, section 4, Service operations) in one transaction. The workflow is locked
 * before anything is read, so no move is evaluated with half a definition. Removed parts are retired and never deleted.
 * Experiments in a removed state move where `state_map` says, or the import is rejected. Nothing starts for experiments that
 * stay.
 */
import { readStateMap, strandedIn, wouldStrand, type StateMap } from './state-map.ts';
import { allowLongStatements, type Tx } from '../../database/connection.ts';
import { listDefinedCallbacks } from '../../store/workflows/callback-versions.ts';
import * as definitions from '../../store/workflows/import-definition.ts';
import type { Author } from '../../store/record/history.ts';
import { recordChange } from '../../store/record/record-change.ts';
import { moveExperiments } from '../../store/workflows/state-map-moves.ts';
import { applyParts } from './apply-import-parts.ts';
import { hashDefinition } from './hash-definition.ts';
import {
  namePlan,
  planImport,
  type CurrentWorkflow,
  type Definition,
  type ImportPlan,
  type Warning,
} from '@milepost/definitions';
import { countAffected } from './affected-states.ts';

export interface ImportedFile {
  definition: Definition;
  /** As the client sent it. */
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
  const { head, current } = await lockOrInsert(tx, definition.label);
  const plan = await planImport(current, definition);
  const { routes, warnings } = readStateMap(stateMap, current, definition, plan);
  const revision = plan.outcome === 'changed' ? head.revision + 1 : head.revision;
  const applied = { id: head.id, label: head.label, revision, outcome: plan.outcome, warnings };
  if (plan.outcome === 'identical') return applied;

  await rejectStranding(tx, plan, current, routes);
  const stateIds = await applyParts(tx, head.id, revision, plan);
  await moveMapped(tx, author, { workflowId: head.id, revision, routes, stateIds });
  await finish(tx, author, file, {
    head,
    current,
    plan,
    revision,
    initialStateId: stateIds.get(definition.initial) ?? 0,
  });
  return applied;
}

interface Locked {
  head: definitions.WorkflowHead;
  /** Undefined if the workflow was just created. */
  current: CurrentWorkflow | undefined;
}

/** Of concurrent imports of a new label, one creates the workflow. The others wait for it and then upgrade the workflow. */
async function lockOrInsert(tx: Tx, label: string): Promise<Locked> {
  for (;;) {
    const head = await definitions.lockWorkflowHead(tx, label);
    if (head) return { head, current: await readCurrent(tx, head) };
    const created = await definitions.insertWorkflow(tx, label);
    if (created) return { head: created, current: undefined };
  }
}

export async function readCurrent(tx: Tx, head: definitions.WorkflowHead): Promise<CurrentWorkflow> {
  return {
    ...head,
    states: await definitions.listDefinedStates(tx, head.id),
    callbacks: await listDefinedCallbacks(tx, head.id),
    transitions: await definitions.listDefinedTransitions(tx, head.id),
  };
}

async function rejectStranding(
  tx: Tx,
  plan: ImportPlan,
  current: CurrentWorkflow | undefined,
  routes: ReadonlyMap<string, string>,
): Promise<void> {
  const stranded = strandedIn(await countAffected(tx, plan.states.retired, routes), plan);
  if (stranded.length > 0) throw wouldStrand(stranded, namePlan(plan, current));
}

interface MappedMoves {
  workflowId: number;
  revision: number;
  routes: ReadonlyMap<string, string>;
  stateIds: ReadonlyMap<string, number>;
}

async function moveMapped(
  tx: Tx,
  author: Author,
  { workflowId, revision, routes, stateIds }: MappedMoves,
): Promise<void> {
  const pairs = [...routes].map(([from, to]) => ({ from: stateIds.get(from) ?? 0, to: stateIds.get(to) ?? 0 }));
  const freetext = `Moved by the import of workflow revision ${revision}, which removed the state.`;
  await moveExperiments(tx, author, { workflowId, routes: pairs, freetext });
}

interface Finishing extends Locked {
  plan: ImportPlan;
  revision: number;
  initialStateId: number;
}

async function finish(tx: Tx, author: Author, file: ImportedFile, finishing: Finishing): Promise<void> {
  const { head, current, plan, revision, initialStateId } = finishing;
  const hash = hashDefinition(file.definition);
  await definitions.ensureEntryTransition(tx, head.id, initialStateId);
  await definitions.updateWorkflow(tx, head.id, { revision, initialStateId });
  await definitions.insertRevision(tx, {
    workflow_id: head.id,
    revision,
    definition: file.text,
    definition_hash: hash,
    author_id: author.kind === 'user' ? author.id : null,
  });
  await recordChange(tx, author, {
    objectKind: 'workflow',
    objectId: head.id,
    before: current ? { revision: head.revision } : null,
    after: { label: head.label, revision, definition_hash: hash, ...namePlan(plan, current) },
  });
}
