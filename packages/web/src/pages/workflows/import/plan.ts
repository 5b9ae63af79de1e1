/** The plan of a workflow import, in words. */
import type { BodyOf } from '../../../api/operation-query.ts';
import { countOf } from '../../../ui/numbers.ts';

type Answer = BodyOf<'importWorkflow'>;
export type WorkflowPlan = Extract<Answer, { states: unknown }>;
export type WorkflowImport = Exclude<Answer, WorkflowPlan>;

export const changeKinds = ['added', 'changed', 'retired', 'revived'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const kindNames: Record<ChangeKind, string> = {
  added: 'Added',
  changed: 'Changed',
  retired: 'Retired',
  revived: 'Restored',
};

export const parts = [
  ['states', 'States', 'state'],
  ['callbacks', 'Callbacks', 'callback'],
  ['transitions', 'Transitions', 'transition'],
] as const;

/** `5 states, 2 callbacks and 5 transitions`. */
const joined = (texts: readonly string[]) =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;

export function summaryOf(plan: WorkflowPlan): string {
  if (plan.outcome === 'identical') return `${plan.label} already has this definition. There is nothing to import.`;
  if (plan.outcome === 'new') {
    const counts = parts.map(([part, , noun]) => [plan[part].added.length, noun] as const);
    const all = counts.filter(([count]) => count > 0).map(([count, noun]) => countOf(count, noun));
    return `Creates the workflow ${plan.label} with ${joined(all)}.`;
  }
  const changes = parts.flatMap(([part, , noun]) =>
    changeKinds
      .map((kind) => [plan[part][kind].length, kind] as const)
      .filter(([count]) => count > 0)
      .map(([count, kind]) => `${countOf(count, noun)} ${kindNames[kind].toLowerCase()}`),
  );
  return changes.length === 0
    ? `Changes the workflow ${plan.label}.`
    : `Changes the workflow ${plan.label}: ${joined(changes)}.`;
}

type Affected = WorkflowPlan['affected_states'][number];

/** The removed states whose experiments must move to another state. */
export const statesToMap = ({ states, affected_states }: WorkflowPlan): Affected[] =>
  affected_states.filter(({ state, experiments }) => experiments > 0 && states.retired.includes(state));

/** The labels of the states after the import, given those before it. */
export const statesAfter = ({ states }: WorkflowPlan, before: readonly string[]): string[] => [
  ...before.filter((label) => !states.retired.includes(label)),
  ...[...states.added, ...states.revived].filter((label) => !before.includes(label)),
];
