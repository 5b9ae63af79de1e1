/** What a scenario left out: a run that does not look everywhere must not pass for one that found nothing. */
import type { Observations, Observed } from './driver.ts';
import { entriesOf, isSeen } from './statuses.ts';

/** The keys of what is mounted, as the server's own document lists them. */
export function mountedOperations(document: { paths: Record<string, object> }): Set<string> {
  const keys = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return new Set(keys);
}

/** A sentence for each gap, with the operation's key before it. */
export function findGaps(
  observations: Observations,
  mounted: ReadonlySet<string>,
  additions: ReadonlySet<string>,
): string[] {
  const unspecified = [...mounted].filter((key) => !observations.has(key) && !isListed(key, additions));
  return [
    ...unspecified.map((key) => `${key}: mounted, but neither specified nor listed in additions.json`),
    ...[...observations].flatMap(([key, observed]) =>
      gapsOf(observed, mounted.has(key)).map((gap) => `${key}: ${gap}`),
    ),
  ];
}

const isListed = (key: string, additions: ReadonlySet<string>): boolean =>
  [...additions].some((addition) => addition.startsWith('operation ') && addition.endsWith(`: ${key}`));

function gapsOf(observed: Observed, isMounted: boolean): string[] {
  if (!isMounted) return ['specified, but not mounted'];
  return observed.answers.length > 0
    ? [...statusGaps(observed), ...requestGaps(observed), ...answerGaps(observed)]
    : ['never called'];
}

const statusGaps = ({ operation, statuses }: Observed): string[] =>
  entriesOf(operation)
    .filter((entry) => !isSeen(entry, statuses))
    .map(({ name }) => `${name} was never seen`);

function requestGaps({ operation: { request }, sent }: Observed): string[] {
  const body = typeof request.body === 'string' ? {} : request.body;
  return Object.keys({ ...body, ...request.query })
    .filter((name) => !sent.has(name))
    .map((name) => `${name} was never sent`);
}

const answerGaps = ({ hollow, full, excused }: Observed): string[] => [
  ...[...hollow].filter((place) => !full.has(place) && !excused.has(place)).map((place) => `${place} was always empty`),
  ...[...excused].filter((place) => full.has(place)).map((place) => `${place} is said to be empty, but was not`),
];
