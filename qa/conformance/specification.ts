/** The specification and our additions to it. The conformance run knows nothing else about Milepost. */
import { readFileSync } from 'node:fs';

/** A primitive or resource name, an array of one shape, an object of shapes, or `unknown` if it is not specified. */
export type Shape = string | Shape[] | { [field: string]: Shape };

export interface SpecifiedOperation {
  section: string;
  method: string;
  path: string;
  request: { body: Record<string, Shape> | 'unknown' | null; query: Record<string, Shape> | null };
  response: Shape;
  statuses: number[];
  x_fields: boolean;
}

export interface Specification {
  resources: Record<string, Shape>;
  operations: SpecifiedOperation[];
  /** The lines of additions.json. */
  additions: ReadonlySet<string>;
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../packages/api/${name}`, import.meta.url), 'utf8'));

export function readSpecification(): Specification {
  const { resources, operations }: Pick<Specification, 'resources' | 'operations'> = read('interface.json');
  const reasons: { additions: string[] }[] = read('additions.json');
  return { resources, operations, additions: new Set(reasons.flatMap(({ additions }) => additions)) };
}

/** The key of an operation: `GET /cohorts/{id}`. */
export const keyOf = ({ method, path }: Pick<SpecifiedOperation, 'method' | 'path'>): string => `${method} ${path}`;
