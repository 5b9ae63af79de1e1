/** The specification's tables and the list of what we add to them: all that the conformance run knows of Milepost. */
import { readFileSync } from 'node:fs';

/** A primitive or the name of a resource; an array of one shape; an object of shapes; `unknown` where it is not shown. */
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

/** How an operation is called here: `GET /cohorts/{id}`. */
export const keyOf = ({ method, path }: Pick<SpecifiedOperation, 'method' | 'path'>): string => `${method} ${path}`;
