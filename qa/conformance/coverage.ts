/** Finds gaps in a scenario's coverage. A run that does not exercise the whole specification must not pass. */
import type { Observations, Observed } from './driver.ts';
import { entriesOf, isSeen } from './statuses.ts';

interface Document {
  paths: Record<string, Record<string, { tags: string[] }>>;
}

/** The section of each mounted operation by its key, from the server's OpenAPI document. */
export function mountedOperations({ paths }: Document): Map<string, string> {
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags }]): [string, string] => [
      `${method.toUpperCase()} ${path}`,
      tags[0] ?? '',
    ]),
  );
  return new Map(entries);
}

/** One text for each gap, prefixed with the operation's key. */
export function findGaps(
  observations: Observations,
  mounted: ReadonlyMap<string, string>,
  additions: ReadonlySet<string>,
): string[] {
  const unspecified = [...mounted].filter(
    ([key, section]) => !observations.has(key) && !additions.has(`section ${section}`),
  );
  return [
    ...unspecified.map(([key]) => `${key}: mounted, but neither specified nor in a section of additions.json`),
    ...[...observations].flatMap(([key, observed]) =>
      gapsOf(observed, mounted.has(key)).map((gap) => `${key}: ${gap}`),
    ),
  ];
}

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
