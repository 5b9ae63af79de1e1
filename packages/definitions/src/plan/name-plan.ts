/** A plan with readable names: states by label, callbacks as `state / callback`, transitions as `source -> destination`. */
import type { ImportPlan, CurrentWorkflow } from './plan-import.ts';
import type { Matched } from './match-parts.ts';

export interface Changes {
  added: string[];
  changed: string[];
  retired: string[];
  revived: string[];
}

export interface NamedPlan {
  states: Changes;
  callbacks: Changes;
  transitions: Changes;
}

export function namePlan(plan: ImportPlan, current: CurrentWorkflow | undefined): NamedPlan {
  const labels = new Map(current?.states.map(({ id, label }) => [id, label]));
  const labelOf = (id: number) => labels.get(id) ?? '';
  return {
    states: nameParts(plan.states, ({ label }) => label),
    callbacks: nameParts(plan.callbacks, (callback) => {
      const state = 'state' in callback ? callback.state : labelOf(callback.state_id);
      return `${state} / ${callback.label}`;
    }),
    transitions: nameParts(plan.transitions, (transition) => {
      const written = 'source' in transition;
      const source = written ? transition.source : labelOf(transition.source_state_id);
      const destination = written ? transition.destination : labelOf(transition.destination_state_id);
      return `${source} -> ${destination}${transition.ordinal > 1 ? ` (${transition.ordinal})` : ''}`;
    }),
  };
}

const nameParts = <W, L>(matched: Matched<W, L>, name: (part: W | L) => string): Changes => ({
  added: matched.added.map(name),
  changed: matched.changed.map(([part]) => name(part)),
  retired: matched.retired.map(name),
  revived: matched.revived.map(([part]) => name(part)),
});
