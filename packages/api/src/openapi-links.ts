/**
 * Where an answer leads (OpenAPI `links`): to the operations at the same address or below it whose path is known once the
 * answer is. What the request named in its path names it again; the rest is in the answer under the same name.
 */
import type { Operation, Operations } from './operation.ts';
import { asJsonSchema, type JsonSchema } from './schema.ts';

const namesOf = (schema: JsonSchema | undefined): string[] => Object.keys(schema?.properties ?? {});

/** `{cohorts: [...]}`: what stands for the first of a list. */
const firstOf = ({ properties = {} }: JsonSchema): { place: string; element: JsonSchema } | undefined => {
  const [[key, { items: element }] = ['', {}], ...others] = Object.entries<JsonSchema>(properties);
  return others.length === 0 && element !== undefined ? { place: `${key}/0/`, element } : undefined;
};

/** How a link says the value of a parameter; undefined where neither request nor answer holds it. */
const expressionFor = ({ params, response }: Operation, name: string): string | undefined => {
  if (namesOf(params).includes(name)) return `$request.path.${name}`;
  const { place, element } = firstOf(asJsonSchema(response)) ?? { place: '', element: asJsonSchema(response) };
  return namesOf(element).includes(name) ? `$response.body#/${place}${name}` : undefined;
};

const isAtOrBelow = (path: string, address: string) => path === address || path.startsWith(`${address}/`);

const linkTo = (source: Operation, name: string, target: Operation) => {
  const parameters = namesOf(target.params).map((one) => [one, expressionFor(source, one)] as const);
  const isKnown = parameters.length > 0 && parameters.every(([, expression]) => expression !== undefined);
  if (source === target || !isKnown || !isAtOrBelow(target.path, source.path)) return [];
  return [[name, { operationId: name, parameters: Object.fromEntries(parameters) }] as const];
};

export const linksOf = (source: Operation, operations: Operations) =>
  Object.fromEntries(Object.entries(operations).flatMap(([name, target]) => linkTo(source, name, target)));
