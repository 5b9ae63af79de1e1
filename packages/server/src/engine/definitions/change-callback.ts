/**
 * Changes one callback of a living workflow (rule 15 of the engine's law; specification, section 4, Callback executions and
 * callbacks): like an import of the same definition with that callback changed. It is checked in the same way, under the same lock,
 * and makes a revision; but the callback keeps its id under another label, too. Executions that exist keep their version.
 */
import { allowLongStatements, type Tx } from '../../database/connection.ts';
import { invalid, notFound, Problem } from '../../errors.ts';
import { insertCallbackVersions, updateCallbacks } from '../../store/callback-versions.ts';
import { renameCallback } from '../../store/callbacks.ts';
import * as definitions from '../../store/definitions.ts';
import type { Author } from '../../store/history.ts';
import { recordChange } from '../../store/record-change.ts';
import { readCondition } from '../conditions/parse-condition.ts';
import { readLiving } from './apply-import.ts';
import { hashDefinition, type DefinitionCallback } from './definition.ts';
import type { Findings } from './definition-findings.ts';
import { definitionOf, sameCallback, type LivingCallback, type LivingWorkflow } from './plan-import.ts';
import { readCallback } from './read-definition-parts.ts';
import { writeDefinition } from './write-definition.ts';

/** What can be changed of a callback without an import. */
const settings = [
  'label',
  'description',
  'function',
  'condition',
  'callback_arguments',
  'initial_delay',
  'run_timeout',
  'wait_timeout',
] as const;

export type CallbackChange = { [K in (typeof settings)[number]]?: DefinitionCallback[K] | undefined };

/** Which callback, and the label of its workflow. */
export interface Changed {
  id: number;
  workflow_label: string;
}

/** By whom; and `holdVersion` throws where they have seen another version of the callback. */
interface Changing {
  author: Author;
  holdVersion: (version: number) => void;
}

/** Answers the workflow with its new revision; undefined where nothing differs. */
export async function changeCallback(
  tx: Tx,
  { author, holdVersion }: Changing,
  { id, workflow_label: workflowLabel }: Changed,
  change: CallbackChange,
): Promise<{ id: number; revision: number } | undefined> {
  await allowLongStatements(tx);
  const head = await definitions.lockWorkflowHead(tx, workflowLabel);
  const living = head && (await readLiving(tx, head));
  const stored = living?.callbacks.find((callback) => callback.id === id);
  if (!living || !stored) throw notFound(`callback with the id ${id}`);
  holdVersion(stored.version);
  if (stored.retired) throw retired(stored);
  const wanted = readChange(stored, change);
  if (sameCallback(wanted, stored)) return undefined;
  if (wanted.label !== stored.label) refuseLabel(living, stored, wanted.label);

  const revision = living.revision + 1;
  await writeVersion(tx, revision, stored, wanted);
  await writeRevision(tx, author, revision, replaced(living, { ...stored, ...wanted }));
  await record(tx, author, living, { stored, wanted, revision });
  return { id: living.id, revision };
}

const retired = ({ label }: LivingCallback) =>
  new Problem(
    'callback_retired',
    `"${label}" is no longer part of its workflow. Import a definition that has it, and it comes back under this id.`,
  );

function readChange(stored: LivingCallback, change: CallbackChange): DefinitionCallback {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const findings: Findings = { faults: [], warnings: [] };
  const { pointer: _pointer, ...wanted } = readCallback(findings, {
    pointer: '',
    value: { ...stored, ...Object.fromEntries(given) },
  });
  if (findings.faults.length === 0) return wanted;
  throw invalid(...findings.faults.map(({ pointer, detail }) => ({ pointer, detail })));
}

/** Another callback of the state may have it, and conditions may speak of the old one. */
function refuseLabel(living: LivingWorkflow, stored: LivingCallback, label: string): void {
  const others = living.callbacks.filter(({ id, state_id }) => state_id === stored.state_id && id !== stored.id);
  const taken = others.find((callback) => callback.label === label);
  if (taken) throw labelTaken(taken);
  const callbackLabels = [label, ...others.filter(({ retired: gone }) => !gone).map((callback) => callback.label)];
  const place = { kind: 'transition', callbackLabels } as const;
  const broken = living.transitions.find(
    (transition) =>
      transition.source_state_id === stored.state_id &&
      !transition.retired &&
      readCondition(transition.condition, place).faults.length > 0,
  );
  if (!broken) return;
  const destination = living.states.find(({ id }) => id === broken.destination_state_id)?.label ?? '';
  const detail =
    `/label cannot be changed alone: the condition of the transition to "${destination}" speaks of "${stored.label}". ` +
    'Import the workflow with both changed.';
  throw invalid({ pointer: '/label', detail });
}

function labelTaken(other: LivingCallback): Problem {
  const detail = other.retired
    ? 'A callback that is no longer part of the workflow has this label: import a definition that has it to get it back.'
    : 'Another callback of this state has this label.';
  return new Problem('already_exists', detail, { faults: [{ pointer: '/label', detail }] });
}

async function writeVersion(tx: Tx, revision: number, stored: LivingCallback, wanted: DefinitionCallback) {
  const version = stored.version + 1;
  await insertCallbackVersions(tx, revision, [
    { ...wanted, callback_id: stored.id, version, position: stored.position },
  ]);
  await updateCallbacks(tx, [{ id: stored.id, version }]);
  if (wanted.label !== stored.label) await renameCallback(tx, stored.id, wanted.label);
}

const replaced = (living: LivingWorkflow, changed: LivingCallback): LivingWorkflow => ({
  ...living,
  callbacks: living.callbacks.map((callback) => (callback.id === changed.id ? changed : callback)),
});

async function writeRevision(tx: Tx, author: Author, revision: number, living: LivingWorkflow): Promise<void> {
  const definition = definitionOf(living);
  await definitions.updateWorkflow(tx, living.id, { revision, initialStateId: living.initial_state_id ?? 0 });
  await definitions.insertRevision(tx, {
    workflow_id: living.id,
    revision,
    definition: writeDefinition(definition),
    definition_hash: hashDefinition(definition),
    author_id: author.kind === 'user' ? author.id : null,
  });
}

interface Replacing {
  stored: LivingCallback;
  wanted: DefinitionCallback;
  revision: number;
}

/** In the history of the callback, and in that of the workflow, which has a revision more. */
async function record(tx: Tx, author: Author, living: LivingWorkflow, { stored, wanted, revision }: Replacing) {
  const names = settings.filter((name) => JSON.stringify(stored[name]) !== JSON.stringify(wanted[name]));
  const named = (from: DefinitionCallback) => Object.fromEntries(names.map((name) => [name, from[name]]));
  await recordChange(tx, author, {
    objectKind: 'callback',
    objectId: stored.id,
    before: named(stored),
    after: { ...named(wanted), workflow_revision: revision },
  });
  const state = living.states.find(({ id }) => id === stored.state_id)?.label ?? '';
  await recordChange(tx, author, {
    objectKind: 'workflow',
    objectId: living.id,
    before: { revision: living.revision },
    after: { revision, callbacks: { changed: [`${state} / ${wanted.label}`] } },
  });
}
