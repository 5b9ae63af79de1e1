/**
 * Compares our table of operations with the specification's tables (interface.json). A missing or different part is a fault.
 * Anything beyond the specification is an addition, which additions.json must list.
 */
import { absentIfNull, asJsonSchema, titledSchemas, type JsonSchema } from '../src/schema.ts';
import { responsesOf } from '../src/statuses.ts';
import type { Operation, Operations } from '../src/operation.ts';
import { page } from '../src/values.ts';
import { compareFields, compareShape, type Differences, type Shape } from './shape-differences.ts';

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
}

type Sections = Readonly<Record<string, Operations>>;
type Compare = (differences: Differences, specified: SpecifiedOperation, ours: Operation) => void;

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

const compareParams: Compare = ({ faults }, specified, ours) => {
  const named = [...specified.path.matchAll(/\{(\w+)\}/g)].map(
    ([, name]) => `${name}: ${name === 'id' ? 'integer' : 'string'}`,
  );
  const declared = Object.entries(asJsonSchema(ours.params ?? {}).properties ?? {});
  const types = declared.map(([name, schema]) => `${name}: ${schema.type}`);
  if (named.join() !== types.join()) faults.add(`${keyOf(specified)}: path parameters ${types.join(', ')}`);
};

const compareQuery: Compare = (differences, specified, ours) => {
  const { properties = {} } = asJsonSchema(ours.query ?? {});
  const key = keyOf(specified);
  compareFields(differences, specified.request.query ?? {}, properties, {
    place: (name) => `${key}: query parameter ${name}`,
    added: (name) => `${name in page ? 'any list' : key}: query parameter ${name}`,
  });
};

/** Fields that PUT accepts and ignores must be fields of the response, because clients send back the result of a GET. */
const compareReadOnly: Compare = ({ faults, additions }, specified, ours) => {
  const answered = asJsonSchema(ours.response).properties ?? {};
  for (const [name, { readOnly }] of Object.entries(asJsonSchema(ours.body ?? {}).properties ?? {})) {
    if (readOnly !== true) continue;
    additions.add('any operation: read-only body fields');
    if (!(name in answered)) faults.add(`${keyOf(specified)}: read-only body field ${name} is not in the response`);
  }
};

const writable = ({ properties = {} }: JsonSchema) =>
  Object.fromEntries(Object.entries(properties).filter(([, schema]) => schema.readOnly !== true));

const compareBody: Compare = (differences, specified, ours) => {
  const key = keyOf(specified);
  const { body } = specified.request;
  if (body === null || body === 'unknown') {
    if (ours.body !== undefined) differences.additions.add(`${key}: request body`);
    return;
  }
  const place = (name: string) => `${key}: body field ${name}`;
  const schema = asJsonSchema(ours.body ?? {});
  compareFields(differences, body, writable(schema), { place, added: place });
  if (absentIfNull(schema).length > 0) differences.additions.add('any operation: optional body fields also null');
};

const compareStatuses: Compare = ({ faults, additions }, specified, ours) => {
  const answers = Object.keys(responsesOf(ours)).map(Number);
  const creates = specified.statuses.includes(200) && specified.statuses.includes(201);
  const has = (status: number) =>
    answers.includes(status) || (creates && [200, 201].includes(status) && answers.some((answer) => answer < 300));
  for (const status of specified.statuses)
    if (!has(status)) faults.add(`${keyOf(specified)}: status ${status} is missing`);
  for (const status of answers.filter((answer) => !specified.statuses.includes(answer)))
    additions.add(`${status in ours.statuses ? keyOf(specified) : 'any operation'}: status ${status}`);
};

const compareMask: Compare = ({ faults }, specified, ours) => {
  if ((ours.masked ?? true) !== specified.x_fields) faults.add(`${keyOf(specified)}: X-Fields`);
};

const comparisons = [compareParams, compareQuery, compareReadOnly, compareBody, compareStatuses, compareMask];

const compareOperation = (
  differences: Differences,
  { resources }: Specification,
  specified: SpecifiedOperation,
  ours: Operation,
) => {
  for (const compare of comparisons) compare(differences, specified, ours);
  const place = `${keyOf(specified)}: response`;
  compareShape({ ...differences, resources }, specified.response, asJsonSchema(ours.response), place);
};

const compareOperations = (differences: Differences, specification: Specification, sections: Sections) => {
  const ours = new Map(
    Object.entries(sections).flatMap(([section, operations]) =>
      Object.values(operations).map((operation) => [`${section}: ${keyOf(operation)}`, operation]),
    ),
  );
  for (const specified of specification.operations) {
    const key = `${specified.section}: ${keyOf(specified)}`;
    const operation = ours.get(key);
    if (operation === undefined) differences.faults.add(`${key} is missing`);
    else compareOperation(differences, specification, specified, operation);
    ours.delete(key);
  }
  const specifiedSections = new Set(specification.operations.map(({ section }) => section));
  for (const key of ours.keys()) {
    const section = key.slice(0, key.indexOf(': '));
    differences.additions.add(specifiedSections.has(section) ? `operation ${key}` : `section ${section}`);
  }
};

const compareResources = (differences: Differences, { resources }: Specification, sections: Sections) => {
  const ours = titledSchemas(Object.assign({}, ...Object.values(sections)));
  for (const [name, shape] of Object.entries(resources)) {
    const [schema] = ours.get(name) ?? [];
    if (schema === undefined) differences.faults.add(`resource ${name} is missing`);
    else compareShape({ ...differences, resources }, shape, schema, name);
  }
};

export const interfaceDifferences = (specification: Specification, sections: Sections) => {
  const differences: Differences = { faults: new Set(), additions: new Set() };
  compareOperations(differences, specification, sections);
  compareResources(differences, specification, sections);
  return { faults: [...differences.faults].toSorted(), additions: [...differences.additions].toSorted() };
};
