/**
 * Where the experiments of states that go are sent ("Importing again" of the engine's law). `state_map` leads from an old
 * label to a new one; both must be known. Without an entry, a state that goes must be empty, or the import is refused.
 */
import { invalid, Problem, type Fault } from '../../errors.ts';
import { suggestion } from '../../nearest-name.ts';
import { escapePointer } from '../../validation/json.ts';
import type { Definition } from './definition.ts';
import type { Warning } from './definition-findings.ts';
import type { ImportPlan, LivingWorkflow } from './plan-import.ts';
import type { NamedPlan } from './plan-import-names.ts';

export type StateMap = Readonly<Record<string, string>>;

export interface Routes {
  /** From the label of a state that goes, to that of a state that is there afterwards. */
  routes: ReadonlyMap<string, string>;
  warnings: Warning[];
}

export interface AffectedState {
  state: string;
  experiments: number;
  open_executions: number;
  goes_to: string | null;
}

const pointerTo = (label: string) => `/state_map/${escapePointer(label)}`;

export function readStateMap(
  stateMap: StateMap,
  living: LivingWorkflow | undefined,
  definition: Definition,
  plan: ImportPlan,
): Routes {
  const entries = Object.entries(stateMap).map(([from, to]) => [from.normalize('NFC'), to.normalize('NFC')] as const);
  const before = living?.states.map(({ label }) => label) ?? [];
  const after = definition.states.map(({ label }) => label);
  const faults = entries.flatMap(([from, to]) => [
    ...unknown(from, before, from, 'is not a state of the workflow as it is'),
    ...unknown(from, after, to, 'is not a state of the new definition'),
  ]);
  if (faults.length > 0) throw invalid(...faults);
  const going = new Set(plan.states.retired.map(({ label }) => label));
  const idle = entries.filter(([from]) => after.includes(from));
  return {
    routes: new Map(entries.filter(([from]) => going.has(from))),
    warnings: idle.map(([from]) => ({
      message: `state_map names "${from}", which stays in the definition: its experiments stay, too.`,
      line: null,
      column: null,
    })),
  };
}

function unknown(entry: string, known: readonly string[], label: string, what: string): Fault[] {
  if (known.includes(label)) return [];
  return [{ pointer: pointerTo(entry), detail: `"${label}" ${what}: ${suggestion(label, known.slice(0, 200))}` }];
}

export const strandedIn = (affected: readonly AffectedState[], plan: ImportPlan): AffectedState[] => {
  const going = new Set(plan.states.retired.map(({ label }) => label));
  return affected.filter(({ state, experiments, goes_to }) => going.has(state) && experiments > 0 && goes_to === null);
};

/** 409, with what the import would do. */
export function wouldStrand(stranded: readonly AffectedState[], named: NamedPlan): Problem {
  const total = stranded.reduce((sum, { experiments }) => sum + experiments, 0);
  const states = stranded.map(({ state, experiments }) => `"${state}" (${experiments})`).join(', ');
  const example = JSON.stringify({ [stranded[0]?.state ?? '']: '...' });
  const detail =
    `${total} experiments are in states that the new definition no longer has: ${states}. Say in state_map where ` +
    `they go, such as {"state_map": ${example}}. Nothing was changed. ${summary(named)}`;
  return new Problem('would_strand', detail, {
    faults: stranded.map(({ state, experiments, open_executions }) => ({
      pointer: pointerTo(state),
      detail:
        `"${state}" goes while ${experiments} experiments are in it, with ${open_executions} callback executions ` +
        'open. Name the state they move to, or keep it in the definition.',
    })),
  });
}

function summary(named: NamedPlan): string {
  const parts = Object.entries(named).flatMap(([kind, changes]: [string, NamedPlan['states']]) =>
    Object.entries(changes)
      .filter(([, names]: [string, string[]]) => names.length > 0)
      .map(([change, names]: [string, string[]]) => `${change} ${kind}: ${firstOf(names)}`),
  );
  return `The import would have done this: ${parts.join('; ')}. Ask with dry_run for the whole plan.`;
}

const mostNamed = 10;
const firstOf = (names: readonly string[]) =>
  names.slice(0, mostNamed).join(', ') + (names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '');
