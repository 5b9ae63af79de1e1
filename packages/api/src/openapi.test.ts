import { describe, expect, it } from 'vitest';
import { openapi } from './openapi.ts';
import { operationNames, operations } from './operations.ts';
import { titledSchemas } from './schema.ts';

const document = openapi(operations, { version: '0.1.0', basePath: '/api/v2' });
const text = JSON.stringify(document);

interface Described {
  operationId: string;
  parameters: { name?: string; in?: string }[];
  responses: Record<string, { description: string }>;
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

describe('the document', () => {
  it('has every operation under its name', () => {
    expect(described.map(({ operation }) => operation.operationId).toSorted()).toEqual(operationNames.toSorted());
  });

  it('refers only to what it has', () => {
    const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, pointer]) => pointer ?? ''));
    expect(references.size).toBeGreaterThan(20);
    expect([...references].filter((pointer) => at(pointer) === undefined)).toEqual([]);
  });

  it('declares each parameter of each path', () => {
    for (const { path, operation } of described) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      expect(declared).toEqual(named);
    }
  });

  it('says what each answer means', () => {
    for (const { operation } of described)
      for (const { description } of Object.values(operation.responses)) expect(description).toMatch(/\.$/);
  });

  it('prints each titled schema once, so equal titles are equal schemas', () => {
    const titled = [...titledSchemas(operations)];
    expect(titled.filter(([, schemas]) => texts(schemas).size > 1).map(([title]) => title)).toEqual([]);
    expect(Object.keys(Object(at('#/components/schemas')))).toEqual(titled.map(([title]) => title));
  });

  it('is the same text each time, and holds only the operations it is given', () => {
    expect(JSON.stringify(openapi(operations, { version: '0.1.0', basePath: '/api/v2' }))).toBe(text);
    const small = openapi({ listRoles: operations.listRoles }, { version: '0.1.0', basePath: '/api/v2' });
    expect(small).toMatchObject({ paths: { '/roles': {} }, tags: [{ name: 'Roles, users' }] });
    expect(JSON.stringify(small)).not.toContain('Cohort');
  });

  it('tells who may call an operation, in words and as data', () => {
    expect(document).toMatchObject({
      paths: {
        '/cohorts': { post: { 'x-permission': 'sample_add', description: expect.stringContaining('`sample_add`') } },
        '/callback_executions/{id}': { get: { security: [{ basic: [] }, { session: [] }, { execution_secret: [] }] } },
      },
    });
  });

  it('shows both forms of a refused state change', () => {
    const refused = paths['/experiments/{id}/state']?.put?.responses['409'];
    expect(Object.keys(Object(refused).content)).toEqual(['application/json', 'application/problem+json']);
  });
});
