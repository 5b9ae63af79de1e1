/** Finds gaps in a scenario's coverage. A run that does not exercise the whole specification must not pass. */
import type { Observations, Observed } from './driver.ts';
import { entriesOf, isSeen } from './statuses.ts';

/** The keys of the mounted operations, from the server's OpenAPI document. */
export function mountedOperations(document: { paths: Record<string, object> }): Set<string> {
  const keys = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return new Set(keys);
}

/** One text for each gap, prefixed with the operation's key. */
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
  return observed.responses.length > 0
    ? [...statusGaps(observed), ...requestGaps(observed), ...responseGaps(observed)]
    : ['never called'];
}

const statusGaps = ({ operation, statuses }: Observed): string[] =>
  entriesOf(operation)
    .filter((entry) => !isSeen(entry, statuses))
    .map(({ name }) => `${name} was never returned`);

function requestGaps({ operation: { request }, sent }: Observed): string[] {
  const body = typeof request.body === 'string' ? {} : request.body;
  return Object.keys({ ...body, ...request.query })
    .filter((name) => !sent.has(name))
    .map((name) => `${name} was never sent`);
}

const responseGaps = ({ empty, nonEmpty, allowedEmpty }: Observed): string[] => [
  ...[...empty]
    .filter((place) => !nonEmpty.has(place) && !allowedEmpty.has(place))
    .map((place) => `${place} was always empty`),
  ...[...allowedEmpty]
    .filter((place) => nonEmpty.has(place))
    .map((place) => `${place} is marked as always empty, but was not`),
];
