/** The report of a run: one line per section, all violations and gaps, and how much of the specification was reached. */
import type { Observations, Observed } from './driver.ts';
import { keyOf } from './specification.ts';
import { entriesOf, isMerged, isSeen } from './statuses.ts';

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
      `operations named in the specification: ${observations.size}, passed: ${good.length}`,
      ...statusLines([...observations.values()]),
    ],
    passed: violations.length + gaps.length === 0,
  };
}

const isGood = (key: string, { responses, violations }: Observed, gaps: readonly string[]): boolean =>
  responses.length > 0 && violations.length === 0 && !gaps.some((gap) => gap.startsWith(`${key}: `));

function statusLines(all: readonly Observed[]): string[] {
  const named = all.flatMap(({ operation }) => operation.statuses);
  const reachable = all.flatMap(({ operation, statuses }) =>
    entriesOf(operation).map((entry) => isSeen(entry, statuses)),
  );
  const merged = all.map(({ operation }) => operation).filter(isMerged);
  return [
    `statuses named in the specification: ${named.length}, reachable: ${reachable.length}, reached: ${reachable.filter(Boolean).length}`,
    `merged, because a creation returns only one of 200 and 201: ${merged.map(keyOf).join(', ') || 'none'}`,
  ];
}

function sectionLine(section: string, all: readonly Observed[]): string {
  const called = all.filter(({ responses }) => responses.length > 0);
  const responses = called.reduce((sum, observed) => sum + observed.responses.length, 0);
  const violations = all.reduce((sum, observed) => sum + observed.violations.length, 0);
  return `${section}: ${called.length} of ${all.length} operations, ${responses} responses, ${violations} violations`;
}
