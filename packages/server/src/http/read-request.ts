/** Reads the path, query and body of a request according to the schemas of its operation. */
import { faultOfText, normalise, type Fault, type Operation } from '@milepost/api';
import { readInteger } from '../validation/read-integer.ts';
import { validator } from '../validation/validate.ts';
import type { TObject, TSchema } from 'typebox';
import { invalid, notFound, Problem } from '../errors.ts';

interface Read {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

interface Raw {
  url: string;
  params: unknown;
  query: unknown;
  body: unknown;
}

export function requestReader(operation: Operation): (raw: Raw) => Read {
  const readParams = paramsReader(operation.params);
  const readQuery = queryReader(operation.query);
  const readBody = operation.upload === undefined ? bodyReader(operation.body) : () => undefined;
  return (raw) => ({
    params: readParams(raw.params as Record<string, string>),
    query: readQuery(raw.query as Record<string, string | string[]>, raw.url),
    body: readBody(raw.body),
  });
}

/** An invalid path parameter returns 404, like one that matches no resource. */
function paramsReader(schema: TObject | undefined) {
  if (!schema) return () => ({});
  const validate = validator(schema);
  return (raw: Record<string, string>) => {
    const params = mapByName(raw, (text, name) => toValue(text, schema.properties[name]));
    try {
      validate(params);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw notFound(
        `object with ${Object.entries(raw)
          .map(([name, text]) => `${name} "${text.slice(0, 100)}"`)
          .join(' and ')}`,
      );
    }
    return params;
  };
}

function queryReader(schema: TObject | undefined) {
  const known = schema ?? ({ type: 'object', properties: {}, additionalProperties: false } as unknown as TObject);
  const validate = validator(known, (pointer) => pointer.replace(/^\//, '?'));
  return (raw: Record<string, string | string[]>, url: string) => {
    requireDecodable(url);
    const faults = Object.entries(raw).flatMap(([name, text]) => faultsOfParameter(name, text));
    if (faults.length > 0) throw invalid(...faults);
    const query = mapByName(raw as Record<string, string>, (text, name) => toValue(text, known.properties[name]));
    validate(query);
    if (query['after'] !== undefined && query['offset'] !== undefined) {
      throw invalid({ pointer: '?offset', detail: '?offset and ?after cannot be combined. Use only ?after.' });
    }
    return query;
  };
}

/** The router rejects a path that it cannot decode, but leaves such a parameter as it is. */
function requireDecodable(url: string): void {
  const start = url.indexOf('?');
  if (start === -1) return;
  const invalidPair = url
    .slice(start + 1)
    .split('&')
    .find((pair) => !isDecodable(pair));
  if (invalidPair === undefined) return;
  const pointer = `?${invalidPair.split('=', 1)[0]}`;
  throw invalid({ pointer, detail: `${pointer} is not percent-encoded UTF-8.` });
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function faultsOfParameter(name: string, text: string | string[]): Fault[] {
  const detail = Array.isArray(text) ? 'is given more than once.' : faultOfText(text);
  return detail === undefined ? [] : [{ pointer: `?${name}`, detail: `?${name} ${detail}` }];
}

function bodyReader(schema: TObject | undefined) {
  if (!schema) return emptyBody;
  const validate = validator(schema);
  return (raw: unknown) => {
    const body = normalise(schema, raw === undefined ? {} : raw);
    validate(body);
    return body;
  };
}

function emptyBody(raw: unknown): undefined {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw === 'object' && Object.keys(raw).length === 0) return undefined;
  throw invalid({ pointer: '', detail: 'This operation accepts no body. Leave it empty.' });
}

/** Converts text from a path or query to the type in its schema. Invalid text stays text and fails validation. */
function toValue(text: string, schema: TSchema | undefined): unknown {
  const { type } = (schema ?? {}) as { type?: string };
  if (type === 'integer') return readInteger(text) ?? text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return normalise(schema, text);
}

const mapByName = <A, B>(object: Record<string, A>, change: (value: A, name: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
