/**
 * Changes one callback of a workflow (specification, section 4, Callback executions and callbacks). This is like importing the
 * same definition with that callback changed: it has the same checks and the same lock, and it creates a revision. Unlike an
 * import, a renamed callback keeps its id. Existing executions keep their version.
 */
import { hashDefinition } from './hash-definition.ts';
import { allowLongStatements, type Tx } from '../../database/connection.ts';
import { invalid, notFound, Problem } from '../../errors.ts';
import { insertCallbackVersions, updateCallbacks } from '../../store/workflows/callback-versions.ts';
import { renameCallback } from '../../store/workflows/callbacks.ts';
import * as definitions from '../../store/workflows/import-definition.ts';
import type { Author } from '../../store/record/history.ts';
import { recordChange } from '../../store/record/record-change.ts';
import {
  definitionOf,
  readCallback,
  readCondition,
  sameCallback,
  writeDefinition,
  type CurrentCallback,
  type CurrentWorkflow,
  type DefinitionCallback,
  type Findings,
} from '@milepost/definitions';
import { readCurrent } from './apply-import.ts';

/** The fields of a callback that can be changed without an import. */
const settings = [
  'label',
  'description',
  'function',
  'condition',
  'callback_arguments',
  'initial_delay',
  'run_timeout',
  'wait_timeout',
  'retry_for',
  'retry_first',
] as const;

export type CallbackChange = { [K in (typeof settings)[number]]?: DefinitionCallback[K] | undefined };

/** A callback and the label of its workflow. */
export interface CallbackRef {
  id: number;
  workflow_label: string;
}

interface ChangedBy {
  author: Author;
  /** Throws if the user expects a different version of the callback. */
  requireVersion: (version: number) => void;
}

/** Returns the workflow with its new revision, or undefined if nothing changes. */
export async function changeCallback(
  tx: Tx,
  { author, requireVersion }: ChangedBy,
  { id, workflow_label: workflowLabel }: CallbackRef,
  change: CallbackChange,
): Promise<{ id: number; revision: number } | undefined> {
  await allowLongStatements(tx);
  const head = await definitions.lockWorkflowHead(tx, workflowLabel);
  const current = head && (await readCurrent(tx, head));
  const stored = current?.callbacks.find((callback) => callback.id === id);
  if (!current || !stored) throw notFound(`callback with id ${id}`);
  requireVersion(stored.version);
  if (stored.retired) throw retired(stored);
  const wanted = readChange(stored, change);
  if (sameCallback(wanted, stored)) return undefined;
  if (wanted.label !== stored.label) rejectLabel(current, stored, wanted.label);

  const revision = current.revision + 1;
  await writeVersion(tx, revision, stored, wanted);
  await writeRevision(tx, author, revision, replaced(current, { ...stored, ...wanted }));
  await record(tx, author, current, { stored, wanted, revision });
  return { id: current.id, revision };
}

const retired = ({ label }: CurrentCallback) =>
  new Problem(
    'callback_retired',
    `"${label}" is no longer part of its workflow. To restore it under this id, import a definition that has it.`,
  );

function readChange(stored: CurrentCallback, change: CallbackChange): DefinitionCallback {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const findings: Findings = { faults: [], warnings: [] };
  const { pointer: _pointer, ...wanted } = readCallback(findings, {
    pointer: '',
    value: { ...stored, ...Object.fromEntries(given) },
  });
  if (findings.faults.length === 0) return wanted;
  throw invalid(...findings.faults.map(({ pointer, detail }) => ({ pointer, detail })));
}

/** Throws if another callback of the state has the label, or if a condition refers to the old one. */
function rejectLabel(current: CurrentWorkflow, stored: CurrentCallback, label: string): void {
  const others = current.callbacks.filter(({ id, state_id }) => state_id === stored.state_id && id !== stored.id);
  const taken = others.find((callback) => callback.label === label);
  if (taken) throw labelTaken(taken);
  const callbackLabels = [label, ...others.filter((callback) => !callback.retired).map((callback) => callback.label)];
  const place = { kind: 'transition', callbackLabels } as const;
  const broken = current.transitions.find(
    (transition) =>
      transition.source_state_id === stored.state_id &&
      !transition.retired &&
      readCondition(transition.condition, place).faults.length > 0,
  );
  if (!broken) return;
  const destination = current.states.find(({ id }) => id === broken.destination_state_id)?.label ?? '';
  const detail =
    `/label cannot be changed here. The condition of the transition to "${destination}" refers to "${stored.label}". ` +
    'Import the workflow with both changes.';
  throw invalid({ pointer: '/label', detail });
}

function labelTaken(other: CurrentCallback): Problem {
  const detail = other.retired
    ? 'A removed callback of this state has this label. To restore it, import a definition that has it.'
    : 'Another callback of this state has this label.';
  return new Problem('already_exists', detail, { faults: [{ pointer: '/label', detail }] });
}

async function writeVersion(tx: Tx, revision: number, stored: CurrentCallback, wanted: DefinitionCallback) {
  const version = stored.version + 1;
  await insertCallbackVersions(tx, revision, [
    { ...wanted, callback_id: stored.id, version, position: stored.position },
  ]);
  await updateCallbacks(tx, [{ id: stored.id, version }]);
  if (wanted.label !== stored.label) await renameCallback(tx, stored.id, wanted.label);
}

const replaced = (current: CurrentWorkflow, changed: CurrentCallback): CurrentWorkflow => ({
  ...current,
  callbacks: current.callbacks.map((callback) => (callback.id === changed.id ? changed : callback)),
});

async function writeRevision(tx: Tx, author: Author, revision: number, current: CurrentWorkflow): Promise<void> {
  const definition = definitionOf(current);
  await definitions.updateWorkflow(tx, current.id, { revision, initialStateId: current.initial_state_id ?? 0 });
  await definitions.insertRevision(tx, {
    workflow_id: current.id,
    revision,
    definition: writeDefinition(definition),
    definition_hash: hashDefinition(definition),
    author_id: author.kind === 'user' ? author.id : null,
  });
}

interface Replacing {
  stored: CurrentCallback;
  wanted: DefinitionCallback;
  revision: number;
}

/** Records the change in the history of the callback and the new revision in the history of the workflow. */
async function record(tx: Tx, author: Author, current: CurrentWorkflow, { stored, wanted, revision }: Replacing) {
  const names = settings.filter((name) => JSON.stringify(stored[name]) !== JSON.stringify(wanted[name]));
  const named = (from: DefinitionCallback) => Object.fromEntries(names.map((name) => [name, from[name]]));
  await recordChange(tx, author, {
    objectKind: 'callback',
    objectId: stored.id,
    before: named(stored),
    after: { ...named(wanted), workflow_revision: revision },
  });
  const state = current.states.find(({ id }) => id === stored.state_id)?.label ?? '';
  await recordChange(tx, author, {
    objectKind: 'workflow',
    objectId: current.id,
    before: { revision: current.revision },
    after: { revision, callbacks: { changed: [`${state} / ${wanted.label}`] } },
  });
}
