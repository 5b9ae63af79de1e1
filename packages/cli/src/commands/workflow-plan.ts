/** The plan of an import, as lines of text. */
interface Changes {
  added: readonly string[];
  changed: readonly string[];
  retired: readonly string[];
  revived: readonly string[];
}

export interface Plan {
  [field: string]: unknown;
  label: string;
  outcome: string;
  states: Changes;
  callbacks: Changes;
  transitions: Changes;
  affected_states: readonly { state: string; experiments: number; open_executions: number; goes_to: string | null }[];
  strands_experiments: boolean;
  warnings: readonly { message: string; line: number | null; column: number | null }[];
}

const kinds = ['states', 'callbacks', 'transitions'] as const;
const signs = [
  ['added', '+'],
  ['revived', '+'],
  ['changed', '~'],
  ['retired', '-'],
] as const;

const outcomes: Readonly<Record<string, string>> = {
  new: 'is a new workflow',
  changed: 'changes',
  identical: 'is identical, so nothing changes',
};

export const planLines = (plan: Plan): string[] => [
  `${plan.label} ${outcomes[plan.outcome] ?? plan.outcome}.`,
  ...kinds.flatMap((kind) =>
    signs.flatMap(([change, sign]) => plan[kind][change].map((name) => `${sign} ${kind.slice(0, -1)} ${name}`)),
  ),
  ...plan.affected_states
    .filter(({ experiments }) => experiments > 0)
    .map(
      ({ state, experiments, goes_to }) =>
        `${experiments} experiments in ${state}${goes_to === null ? '' : ` move to ${goes_to}`}`,
    ),
  ...plan.warnings.map(({ message, line }) => `Warning${line === null ? '' : ` in line ${line}`}: ${message}`),
];
