/** What a run says: a line for each section, every fault, and how much of the specification is there. */
import type { Observations, Observed } from './driver.ts';
import { entriesOf, isSeen } from './statuses.ts';

export interface Report {
  lines: string[];
  passed: boolean;
}

export function reportOn(observations: Observations, gaps: readonly string[]): Report {
  const faults = [...observations].flatMap(([key, observed]) =>
    [...new Set(observed.faults)].map((fault) => `${key}: ${fault}`),
  );
  const bySection = Map.groupBy(observations.values(), ({ operation }) => operation.section);
  const good = [...observations].filter(([key, observed]) => isGood(key, observed, gaps));
  return {
    lines: [
      ...[...bySection].map(([section, all]) => sectionLine(section, all)),
      ...[...faults, ...gaps].map((fault) => `FAULT ${fault}`),
      `operations: ${good.length} of ${observations.size}, statuses: ${countStatuses([...observations.values()])}`,
    ],
    passed: faults.length + gaps.length === 0,
  };
}

const isGood = (key: string, { answers, faults }: Observed, gaps: readonly string[]): boolean =>
  answers.length > 0 && faults.length === 0 && !gaps.some((gap) => gap.startsWith(`${key}: `));

function countStatuses(all: readonly Observed[]): string {
  const entries = all.flatMap(({ operation, statuses }) =>
    entriesOf(operation).map((entry) => isSeen(entry, statuses)),
  );
  return `${entries.filter(Boolean).length} of ${entries.length}`;
}

function sectionLine(section: string, all: readonly Observed[]): string {
  const called = all.filter(({ answers }) => answers.length > 0);
  const answers = called.reduce((sum, observed) => sum + observed.answers.length, 0);
  const faults = all.reduce((sum, observed) => sum + observed.faults.length, 0);
  return `${section}: ${called.length} of ${all.length} operations, ${answers} answers, ${faults} faults`;
}
