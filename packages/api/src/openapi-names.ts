/**
 * Names the bodies and responses of operations in the OpenAPI document. Without names, code generators invent them, and invented
 * names collide with each other and change when a field is added.
 */
import type { TObject, TSchema } from 'typebox';
import type { Operation, Operations } from './operation.ts';

/** `x-operation` marks a component that only this operation uses. */
const named = <S extends TSchema>(operation: string, part: 'Body' | 'Response', schema: S): S =>
  'title' in schema
    ? schema
    : {
        ...schema,
        title: `${operation.charAt(0).toUpperCase()}${operation.slice(1)}${part}`,
        'x-operation': operation,
      };

const withNames = (name: string, operation: Operation): Operation => ({
  ...operation,
  ...(operation.body === undefined ? {} : { body: named<TObject>(name, 'Body', operation.body) }),
  // The schema of a line is not the schema of a response.
  ...(operation.lines ? {} : { response: named(name, 'Response', operation.response) }),
});

export const withNamedSchemas = (operations: Operations): Operations =>
  Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, withNames(name, operation)]));
