/** The report of a run: one line per section, all violations and gaps, and the share of the specification that passed. */
import type { Observations, Observed } from './driver.ts';
import { entriesOf, isSeen } from './statuses.ts';

export interface Report {
  lines: string[];
  passed: boolean;
}

export function reportOn(observations: Observations, gaps: readonly string[]): Report {
  const violations = [...observations].flatMap(([key, observed]) =>
    [...new Set(observed.violations)].map((violation) => `${key}: ${violation}`),
  );
  const bySection = Map.groupBy(observations.values(), ({ operation }) => operation.section);
  const good = [...observations].filter(([key, observed]) => isGood(key, observed, gaps));
  return {
    lines: [
      ...[...bySection].map(([section, all]) => sectionLine(section, all)),
      ...[...violations, ...gaps].map((text) => `ERROR ${text}`),
      `operations: ${good.length} of ${observations.size}, statuses: ${countStatuses([...observations.values()])}`,
    ],
    passed: violations.length + gaps.length === 0,
  };
}

const isGood = (key: string, { responses, violations }: Observed, gaps: readonly string[]): boolean =>
  responses.length > 0 && violations.length === 0 && !gaps.some((gap) => gap.startsWith(`${key}: `));

function countStatuses(all: readonly Observed[]): string {
  const entries = all.flatMap(({ operation, statuses }) =>
    entriesOf(operation).map((entry) => isSeen(entry, statuses)),
  );
  return `${entries.filter(Boolean).length} of ${entries.length}`;
}

function sectionLine(section: string, all: readonly Observed[]): string {
  const called = all.filter(({ responses }) => responses.length > 0);
  const responses = called.reduce((sum, observed) => sum + observed.responses.length, 0);
  const violations = all.reduce((sum, observed) => sum + observed.violations.length, 0);
  return `${section}: ${called.length} of ${all.length} operations, ${responses} responses, ${violations} violations`;
}
