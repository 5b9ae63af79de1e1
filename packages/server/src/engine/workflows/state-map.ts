/**
 * Where the experiments of removed states move. `state_map` maps the label of a removed state to a label of the new definition,
 * and both must exist. An import that removes a state with experiments and without an entry is rejected.
 */
import { escapePointer, suggestion, type Fault } from '@milepost/api';
import { invalid, Problem } from '../../errors.ts';
import type { CurrentWorkflow, Definition, ImportPlan, NamedPlan, Warning } from '@milepost/definitions';

export type StateMap = Readonly<Record<string, string>>;

export interface Routes {
  /** From the label of a removed state to the label of a state in the new definition. */
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
  current: CurrentWorkflow | undefined,
  definition: Definition,
  plan: ImportPlan,
): Routes {
  const entries = Object.entries(stateMap).map(([from, to]) => [from.normalize('NFC'), to.normalize('NFC')] as const);
  const before = current?.states.map(({ label }) => label) ?? [];
  const after = definition.states.map(({ label }) => label);
  const faults = entries.flatMap(([from, to]) => [
    ...unknown(from, before, from, 'is not a state of the current workflow'),
    ...unknown(from, after, to, 'is not a state of the new definition'),
  ]);
  if (faults.length > 0) throw invalid(...faults);
  const removed = new Set(plan.states.retired.map(({ label }) => label));
  const unused = entries.filter(([from]) => after.includes(from));
  return {
    routes: new Map(entries.filter(([from]) => removed.has(from))),
    warnings: unused.map(([from]) => ({
      code: null,
      message: `state_map names "${from}", but the definition still has this state. Its experiments stay in it.`,
      line: null,
      column: null,
    })),
  };
}

function unknown(entry: string, known: readonly string[], label: string, what: string): Fault[] {
  if (known.includes(label)) return [];
  return [{ pointer: pointerTo(entry), detail: `"${label}" ${what}. ${suggestion(label, known.slice(0, 200))}` }];
}

export const strandedIn = (affected: readonly AffectedState[], plan: ImportPlan): AffectedState[] => {
  const removed = new Set(plan.states.retired.map(({ label }) => label));
  return affected.filter(
    ({ state, experiments, goes_to }) => removed.has(state) && experiments > 0 && goes_to === null,
  );
};

/** Includes a summary of the changes that the import would make. */
export function wouldStrand(stranded: readonly AffectedState[], named: NamedPlan): Problem {
  const total = stranded.reduce((sum, { experiments }) => sum + experiments, 0);
  const states = stranded.map(({ state, experiments }) => `"${state}" (${experiments})`).join(', ');
  const example = JSON.stringify({ [stranded[0]?.state ?? '']: '...' });
  const detail =
    `${total} experiments are in states that the new definition does not have: ${states}. Map these states to others, ` +
    `such as {"state_map": ${example}}. Nothing was changed. ${summary(named)}`;
  return new Problem('would_strand', detail, {
    faults: stranded.map(({ state, experiments, open_executions }) => ({
      pointer: pointerTo(state),
      detail:
        `"${state}" is removed, but ${experiments} experiments are in it, with ${open_executions} open executions. ` +
        'Map it to another state, or keep it in the definition.',
    })),
  });
}

function summary(named: NamedPlan): string {
  const parts = Object.entries(named).flatMap(([kind, changes]: [string, NamedPlan['states']]) =>
    Object.entries(changes)
      .filter(([, names]: [string, string[]]) => names.length > 0)
      .map(([change, names]: [string, string[]]) => `${change} ${kind}: ${firstOf(names)}`),
  );
  return `The import would make these changes: ${parts.join('; ')}. Use dry_run to see the whole plan.`;
}

const maxNamed = 10;
const firstOf = (names: readonly string[]) =>
  names.slice(0, maxNamed).join(', ') + (names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '');
