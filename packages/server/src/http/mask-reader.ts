/**
 * Reads X-Fields for the response of an operation. An unknown name is an error, so that a misspelled name does not return less
 * data. A field that is absent instead of null (docs/decisions/0002) is null if the mask names it.
 */
import { absentIfNull, asJsonSchema, suggestion, type Fault, type JsonSchema, type Operation } from '@milepost/api';
import { invalid } from '../errors.ts';
import { everything, readFields, type Fields } from './field-mask.ts';

const maxFaults = 20;

/** Returns a function that reads the header, and throws 400 if it is malformed or contains an unknown name. */
export function maskReader({ masked, response }: Operation): (header: string | undefined) => Fields {
  if (masked === false) return () => everything;
  const schemas = alternatives(asJsonSchema(response));
  const absent = schemas.flatMap(absentIfNull);
  const read = (header: string | undefined) => {
    const fields = readFields(header);
    const faults = faultsIn(fields, schemas, []).slice(0, maxFaults);
    if (faults.length > 0) throw invalid(...faults);
    if (absent.length === 0) return fields;
    return { ...fields, absentIfNull: new Set(absent.filter((name) => !fields.named.has(name))) };
  };
  const unmasked = read(undefined);
  return (header) => (header === undefined ? unmasked : read(header));
}

/** A mask addresses the elements of a list and every branch of a union. */
const alternatives = ({ anyOf, items, ...schema }: JsonSchema): JsonSchema[] =>
  anyOf?.flatMap(alternatives) ?? (items === undefined ? [schema] : alternatives(items));

function faultsIn({ named }: Fields, schemas: readonly JsonSchema[], path: readonly string[]): Fault[] {
  return [...named].flatMap(([name, inner]) => {
    const found = schemas.flatMap((schema) => fieldOf(schema, name));
    const place = [...path, name];
    return found.length === 0 ? [unknown(place, schemas)] : faultsIn(inner, found.flatMap(alternatives), place);
  });
}

function fieldOf(schema: JsonSchema, name: string): JsonSchema[] {
  const { properties = {}, additionalProperties } = schema;
  const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (field !== undefined) return [field];
  // The keys are data, as in external_ids and variable_map.
  if (typeof additionalProperties === 'object') return [additionalProperties];
  return isAnyValue(schema) ? [schema] : [];
}

const isAnyValue = ({ type, enum: values }: JsonSchema) => type === undefined && values === undefined;

function unknown(path: readonly string[], schemas: readonly JsonSchema[]): Fault {
  const known = [...new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const name = path.at(-1) ?? '';
  const advice = known.length === 0 ? `${path.slice(0, -1).join('.')} has no fields.` : suggestion(name, known);
  return { pointer: 'X-Fields', detail: `X-Fields: "${path.join('.')}" is not a known field. ${advice}` };
}
