import { describe, expect, it } from 'vitest';
import { openapi } from './openapi.ts';
import { withNamedSchemas } from './openapi-names.ts';
import { operationNames, operations } from './operations.ts';
import { titledSchemas } from './schema.ts';

const document = openapi(operations, { version: '0.1.0', basePath: '/api/v2' });
const text = JSON.stringify(document);

interface Described {
  operationId: string;
  parameters: { name?: string; in?: string }[];
  requestBody?: { required: boolean };
  responses: Record<string, { description: string; links?: Record<string, Link> }>;
}

interface Link {
  operationId: string;
  parameters: Record<string, string>;
}

const paths: Record<string, Record<string, Described>> = JSON.parse(text).paths;
const described = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

const texts = (schemas: object[]) => new Set(schemas.map((schema) => JSON.stringify(schema)));

const at = (pointer: string): unknown =>
  pointer
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, key) => Object(value)[key], JSON.parse(text));

describe('the OpenAPI document', () => {
  it('contains every operation under its name', () => {
    expect(described.map(({ operation }) => operation.operationId).toSorted()).toEqual(operationNames.toSorted());
  });

  it('has no dangling references', () => {
    const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, pointer]) => pointer ?? ''));
    expect(references.size).toBeGreaterThan(20);
    expect([...references].filter((pointer) => at(pointer) === undefined)).toEqual([]);
  });

  it('declares every path parameter (V2.1.1)', () => {
    for (const { path, operation } of described) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      expect(declared).toEqual(named);
    }
  });

  it('describes every response', () => {
    for (const { operation } of described)
      for (const { description } of Object.values(operation.responses)) expect(description).toMatch(/\.$/);
  });

  it('contains each titled schema once, and uses no title for two different schemas', () => {
    const titled = [...titledSchemas(withNamedSchemas(operations))];
    expect(titled.filter(([, schemas]) => texts(schemas).size > 1).map(([title]) => title)).toEqual([]);
    expect(Object.keys(Object(at('#/components/schemas')))).toEqual(titled.map(([title]) => title));
  });

  it('is deterministic and contains only the given operations', () => {
    expect(JSON.stringify(openapi(operations, { version: '0.1.0', basePath: '/api/v2' }))).toBe(text);
    const small = openapi({ listRoles: operations.listRoles }, { version: '0.1.0', basePath: '/api/v2' });
    expect(small).toMatchObject({ paths: { '/roles': {} }, tags: [{ name: 'Roles, users' }] });
    expect(JSON.stringify(small)).not.toContain('Cohort');
  });

  it('states the access rule of an operation in words and as data (V8.1.1)', () => {
    expect(document).toMatchObject({
      paths: {
        '/cohorts': { post: { 'x-permission': 'sample_add', description: expect.stringContaining('`sample_add`') } },
        '/callback_executions/{id}': {
          get: { security: [{ basic: [] }, { session: [] }, { token: [] }, { execution_secret: [] }] },
        },
        '/users/{id}/tokens': { post: { security: [{ basic: [] }, { session: [] }] } },
      },
    });
  });

  it('shows both error bodies of a rejected state change', () => {
    const refused = paths['/experiments/{id}/state']?.put?.responses['409'];
    expect(Object.keys(Object(refused).content)).toEqual(['application/json', 'application/problem+json']);
  });

  it('requires a body only if the body has required fields', () => {
    expect(paths['/cohorts']?.post?.requestBody?.required).toBe(true);
    expect(paths['/scans']?.post?.requestBody?.required).toBe(true);
    expect(paths['/cohorts/{id}']?.put?.requestBody?.required).toBe(false);
  });
});

const pascalCase = (name: string) =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)(\w)/g, (_, letter: string) => letter.toUpperCase());
const snakeCase = (name: string) =>
  pascalCase(name)
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, (_, before = '', capital = '', last = '') =>
      last === '' ? `${before}_${capital}` : `${last}_`,
    )
    .toLowerCase();
const lowerCase = (name: string) => name.toLowerCase();

const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index);
const namesAt = (pointer: string) => Object.keys(Object(at(pointer)));

interface Inline {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Inline>;
  items?: Inline;
  anyOf?: Inline[];
}

/** The names that generators invent for objects and enums inside of a schema, such as `CohortExternalUrls`. */
const inventedNames = (name: string, { properties = {}, items, anyOf = [] }: Inline): string[] =>
  [
    ...Object.entries(properties).map(([field, schema]) => [`${name}_${field}`, schema] as const),
    ...(items ? [[`${name}_item`, items] as const] : []),
    ...anyOf.map((schema, index) => [`${name}_type_${index}`, schema] as const),
  ].flatMap(([invented, schema]) => [
    ...(schema.type === 'object' || schema.enum ? [pascalCase(invented)] : []),
    ...inventedNames(invented, schema),
  ]);

describe('the names in the OpenAPI document, for code generators,', () => {
  const schemas = namesAt('#/components/schemas');

  it.each([
    ['in lower case', lowerCase],
    ['in Pascal case', pascalCase],
    ['in snake case', snakeCase],
  ])('are unique %s', (_case, convert) => {
    expect(repeated(schemas.map(convert))).toEqual([]);
    expect(repeated(namesAt('#/components/parameters').map(convert))).toEqual([]);
    expect(repeated(namesAt('#/components/responses').map(convert))).toEqual([]);
    expect(repeated(described.map(({ operation }) => convert(operation.operationId)))).toEqual([]);
  });

  it('differ from the names that generators invent for schemas inside of others', () => {
    const invented = schemas.flatMap((name) => inventedNames(name, Object(at(`#/components/schemas/${name}`))));
    expect(invented.length).toBeGreaterThan(50);
    expect(repeated([...schemas.map(pascalCase), ...invented])).toEqual([]);
  });

  it('include one for every JSON body and response', () => {
    const contents = described.flatMap(({ operation }) => [
      operation.requestBody,
      ...Object.values(operation.responses).filter((response) => !('$ref' in response)),
    ]);
    const bodies = contents.flatMap((content) => Object(content).content?.['application/json']?.schema ?? []);
    expect(bodies.length).toBeGreaterThan(100);
    expect(bodies.filter((schema: Inline) => schema.$ref === undefined)).toEqual([]);
  });
});

const linksOf = (path: string, method: string, status: string) =>
  Object.entries(paths[path]?.[method]?.responses[status]?.links ?? {}).map(([name, { parameters }]) => [
    name,
    ...Object.values(parameters),
  ]);

describe('the links of a response', () => {
  it('lead to the operations on the returned object or the first listed object', () => {
    expect(linksOf('/external_systems', 'post', '201')).toEqual([
      ['getExternalSystemByName', '$response.body#/system_name'],
      ['getExternalSystem', '$response.body#/id'],
      ['updateExternalSystem', '$response.body#/id'],
    ]);
    expect(linksOf('/scans', 'get', '200')).toEqual([['getScan', '$response.body#/scans/0/id']]);
    expect(linksOf('/users/{id}', 'delete', '200')).toEqual([
      ['getUser', '$request.path.id'],
      ['updateUser', '$request.path.id'],
      ['listApiTokens', '$request.path.id'],
      ['createApiToken', '$request.path.id'],
      ['getUserRoles', '$request.path.id'],
      ['getUserPermissions', '$request.path.id'],
    ]);
    expect(linksOf('/roles/{id}', 'get', '200')).toEqual([]);
  });

  it('set every path parameter of their target, and are absent from error responses', () => {
    const byName = new Map(described.map(({ path, operation }) => [operation.operationId, path]));
    const answers = described.flatMap(({ operation }) => Object.entries(operation.responses));
    const links = answers.flatMap(([, { links: its = {} }]) => Object.values(its));
    expect(links.length).toBeGreaterThan(100);
    for (const { operationId, parameters } of links) {
      const named = [...(byName.get(operationId) ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(parameters)).toEqual(named);
    }
    expect(answers.filter(([status, { links: its }]) => Number(status) >= 300 && its !== undefined)).toEqual([]);
  });
});
