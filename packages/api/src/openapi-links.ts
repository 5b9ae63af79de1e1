/**
 * OpenAPI `links`: from a response to the operations at the same path or below it. Their path parameters come from the
 * request's path, or from the response field of the same name.
 */
import type { Operation, Operations } from './operation.ts';
import { asJsonSchema, type JsonSchema } from './schema.ts';

const namesOf = (schema: JsonSchema | undefined): string[] => Object.keys(schema?.properties ?? {});

/** The first element of a list such as `{cohorts: [...]}`, which stands for all of them. */
const firstOf = ({ properties = {} }: JsonSchema): { pointer: string; element: JsonSchema } | undefined => {
  const [[key, { items: element }] = ['', {}], ...others] = Object.entries<JsonSchema>(properties);
  return others.length === 0 && element !== undefined ? { pointer: `${key}/0/`, element } : undefined;
};

/** The runtime expression for a parameter; undefined if neither the request nor the response contains it. */
const expressionFor = ({ params, response }: Operation, name: string): string | undefined => {
  if (namesOf(params).includes(name)) return `$request.path.${name}`;
  const { pointer, element } = firstOf(asJsonSchema(response)) ?? { pointer: '', element: asJsonSchema(response) };
  return namesOf(element).includes(name) ? `$response.body#/${pointer}${name}` : undefined;
};

const isAtOrBelow = (path: string, base: string) => path === base || path.startsWith(`${base}/`);

const linkTo = (source: Operation, name: string, target: Operation) => {
  const parameters = namesOf(target.params).map((one) => [one, expressionFor(source, one)] as const);
  const isKnown = parameters.length > 0 && parameters.every(([, expression]) => expression !== undefined);
  if (source === target || !isKnown || !isAtOrBelow(target.path, source.path)) return [];
  return [[name, { operationId: name, parameters: Object.fromEntries(parameters) }] as const];
};

export const linksOf = (source: Operation, operations: Operations) =>
  Object.fromEntries(Object.entries(operations).flatMap(([name, target]) => linkTo(source, name, target)));
