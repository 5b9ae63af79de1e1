/** Generates the OpenAPI 3.1 document from the table of operations. The output is deterministic. */
import type { TSchema } from 'typebox';
import { columnsOf, listedRows } from './listed-rows.ts';
import type { Operation, Operations } from './operation.ts';
import { sections } from './operations.ts';
import { describeAccess, type Access } from './permission.ts';
import { linksOf } from './openapi-links.ts';
import { withNamedSchemas } from './openapi-names.ts';
import { problemComponents, problemResponse } from './openapi-problems.ts';
import { sessionCookie } from './people/sessions.ts';
import { tokenPrefix } from './people/tokens.ts';
import { titledSchemas, withReferences, withReferencesInside, type JsonSchema } from './schema.ts';
import { acceptsIdempotencyKey, responsesOf, supportsIfMatch } from './statuses.ts';

interface DocumentOptions {
  version: string;
  /** For example `/api/v2`. */
  basePath: string;
}

const sectionOf = (name: string): string =>
  Object.entries(sections).find(([, operations]) => name in operations)?.[0] ?? 'Other operations';

const parameter = (place: 'path' | 'query', required: boolean, name: string, property: JsonSchema) => {
  const { description, ...schema } = property;
  return {
    name,
    in: place,
    required,
    ...(description === undefined ? {} : { description }),
    schema: withReferences(schema),
  };
};

const parametersIn = (place: 'path' | 'query', schema: TSchema | undefined) => {
  const { properties = {}, required = [] }: JsonSchema = schema ?? {};
  return Object.entries(properties).map(([name, property]) =>
    parameter(place, required.includes(name), name, property),
  );
};

const fieldMask = { $ref: '#/components/parameters/FieldMask' };

const lastEventId = { $ref: '#/components/parameters/LastEventId' };

const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' };

const ifMatch = { $ref: '#/components/parameters/IfMatch' };

const parameters = (operation: Operation) => [
  ...parametersIn('path', operation.params),
  ...parametersIn('query', operation.query),
  ...(operation.masked === false ? [] : [fieldMask]),
  ...(operation.stream ? [lastEventId] : []),
  ...(acceptsIdempotencyKey(operation) ? [idempotencyKey] : []),
  ...(supportsIfMatch(operation) ? [ifMatch] : []),
];

const json = (schema: TSchema, example?: unknown) => ({
  'application/json': { schema: withReferences(schema), ...(example === undefined ? {} : { example }) },
});

/** A body without required fields can be omitted. */
const isRequired = ({ required = [], allOf = [] }: JsonSchema) => required.length + allOf.length > 0;

const isList = ({ query, newestFirst }: Operation) => newestFirst ?? 'after' in (query?.properties ?? {});

/** OpenAPI 3.1 cannot describe the messages of a stream, so `x-data` has their schema. */
const eventStream = ({ response, example }: Operation) => ({
  'text/event-stream': {
    schema: { type: 'string' },
    example: `id: 7403-90417\ndata: ${JSON.stringify(example.response)}\n\n`,
    'x-data': withReferences(response),
  },
});

/** OpenAPI 3.1 cannot describe JSON lines either, so `x-line` has their schema. */
const lines = ({ response, example }: Operation) => ({
  'application/x-ndjson': {
    schema: { type: 'string' },
    example: `${JSON.stringify(example.response)}\n`,
    'x-line': withReferences(response),
  },
});

const contentOf = (operation: Operation) => {
  if (operation.stream) return eventStream(operation);
  if (operation.lines) return lines(operation);
  return { ...json(operation.response, operation.example.response), ...otherFormats(operation) };
};

/** Every list is also available as CSV and JSON lines, which OpenAPI cannot describe. `x-columns` has the columns of the CSV. */
const otherFormats = (operation: Operation) => {
  const list = listedRows(operation);
  if (list === undefined) return {};
  return {
    'text/csv': { schema: { type: 'string' }, 'x-columns': columnsOf(list.row).map(({ name }) => name) },
    'application/x-ndjson': { schema: { type: 'string' }, 'x-line': withReferences(list.row) },
  };
};

const headers = (operation: Operation) => {
  const names = [...(isList(operation) ? ['Link'] : []), ...(operation.version === undefined ? [] : ['ETag'])];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
};

const success = (operation: Operation, description: string, links: object) => ({
  description,
  ...(Object.keys(headers(operation)).length === 0 ? {} : { headers: headers(operation) }),
  content: contentOf(operation),
  ...(Object.keys(links).length === 0 ? {} : { links }),
});

const refusal = (operation: Operation, status: number, description: string) => {
  const schema = operation.refusals?.[status];
  return problemResponse(status, description, schema === undefined ? {} : json(schema));
};

const responses = (operation: Operation, links: object) =>
  Object.fromEntries(
    Object.entries(responsesOf(operation)).map(([status, meaning]) => [
      status,
      Number(status) < 300 ? success(operation, meaning, links) : refusal(operation, Number(status), meaning),
    ]),
  );

const security = ({ access, tokens }: Operation) => {
  if (access.kind === 'public') return [];
  const people = [{ basic: [] }, { session: [] }, ...(tokens === 'refused' ? [] : [{ token: [] }])];
  return access.kind === 'execution' ? [...people, { execution_secret: [] }] : people;
};

const permissionOf = (access: Access) =>
  'permission' in access && access.permission !== undefined ? { 'x-permission': access.permission } : {};

const requestBody = ({ body, upload, example }: Operation) => {
  if (upload !== undefined)
    return { requestBody: { required: true, content: { [upload]: { schema: { type: 'string' } } } } };
  return body === undefined ? {} : { requestBody: { required: isRequired(body), content: json(body, example.body) } };
};

const operationObject = (name: string, operation: Operation, links: object) => ({
  operationId: name,
  tags: [sectionOf(name)],
  summary: operation.summary,
  description: `${operation.description}\n\n${describeAccess(operation)}`,
  ...permissionOf(operation.access),
  'x-access': operation.access.kind,
  ...(operation.installationWide ? { 'x-installation-wide': true } : {}),
  // Tells tools that call every operation that this one does not end.
  ...(operation.stream ? { 'x-stream': true } : {}),
  security: security(operation),
  parameters: parameters(operation),
  ...requestBody(operation),
  responses: responses(operation, links),
});

const pathsOf = (operations: Operations) => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, operation] of Object.entries(operations)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(name, operation, linksOf(operation, operations)),
    };
  }
  return paths;
};

const securitySchemes = {
  basic: { type: 'http', scheme: 'basic', description: 'Username or e-mail address, and password.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description:
      'The cookie that `POST /session` or single sign-on sets. Requests that change data must come from a page of the same ' +
      'origin, as `Sec-Fetch-Site` or `Origin` shows.',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      `An API token, which starts with \`${tokenPrefix}\`. Its requests can use only permissions that both the token ` +
      'and its owner have.',
  },
  execution_secret: { type: 'http', scheme: 'bearer', description: 'The secret of one callback execution.' },
};

const components = (operations: Operations) => ({
  schemas: Object.fromEntries(
    [...titledSchemas(operations)].map(([title, [schema = {}]]) => [title, withReferencesInside(schema)]),
  ),
  ...problemComponents,
  parameters: {
    FieldMask: {
      name: 'X-Fields',
      in: 'header',
      required: false,
      description:
        'The fields to return. Braces select nested fields, and `*` selects all remaining ones. Unknown names are rejected.',
      schema: { type: 'string', format: 'field-mask', maxLength: 4096 },
      example: '{label,cohort{label}}',
    },
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      required: false,
      description:
        'The `ETag` of the version you read. If the object has changed since, the request fails with 412 and nothing is ' +
        'saved. You can list several versions, separated by commas. `*` matches any version.',
      schema: { type: 'string', pattern: '^(\\*|"[0-9]{1,19}"(, *"[0-9]{1,19}")*)$' },
      example: '"3"',
    },
    LastEventId: {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description: 'The id of the last message you received. The stream starts with the messages after it.',
      schema: { type: 'string' },
      example: '7403-90417',
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'A unique key for this request, such as a random UUID. If you repeat the request with the same key within 24 hours, ' +
        'it has no second effect and returns the first response, with the header `Idempotency-Replayed: true`. Responses ' +
        'over 64 KiB are not stored. The repeated request then returns the status and `{"uri"}`.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
      example: '6c0f9bb8-7f7e-4c67-8a66-0f6d6c1f8f0a',
    },
  },
  securitySchemes,
});

export const openapi = (operations: Operations, options: DocumentOptions): object =>
  documentOf(withNamedSchemas(operations), options);

const documentOf = (operations: Operations, { version, basePath }: DocumentOptions) => ({
  openapi: '3.1.0',
  info: {
    title: 'Milepost',
    version,
    description: 'Tracks every experiment of a research study through its workflow.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: basePath }],
  tags: [...new Set(Object.keys(operations).map(sectionOf))].map((name) => ({ name })),
  paths: pathsOf(operations),
  components: components(operations),
});
