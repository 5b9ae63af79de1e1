/** JSON Schemas of Kubernetes objects that accept no unknown field, from the OpenAPI document of a Kubernetes version. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { cache, moduleFolder } from './tools.ts';

interface Schema {
  type?: string;
  format?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  [keyword: string]: unknown;
}

interface Definition {
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; schema: { openAPIV3Schema: Schema } }[];
  };
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** Kubernetes ignores unknown fields, or rejects them, depending on the client. A misspelt one is always a fault. */
function strict(schema: Schema): Schema {
  if (schema.format === 'int-or-string' || schema['x-kubernetes-int-or-string'] === true) return numberOrText;
  const entries = Object.entries(schema)
    // Descriptions, and formats that JSON Schema does not know.
    .filter(([keyword]) => !['description', 'format'].includes(keyword) && !keyword.startsWith('x-'))
    .map(([keyword, value]) => [keyword, keyword === 'properties' ? eachStrict(value) : nestedStrict(value)]);
  const isClosed = schema.properties && !schema['x-kubernetes-preserve-unknown-fields'];
  return { ...(isClosed && { additionalProperties: false }), ...Object.fromEntries(entries) } as Schema;
}

const numberOrText: Schema = { anyOf: [{ type: 'string' }, { type: 'number' }] };

const eachStrict = (schemas: unknown) =>
  Object.fromEntries(Object.entries(schemas as Record<string, Schema>).map(([name, one]) => [name, strict(one)]));

function nestedStrict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nestedStrict);
  return isSchema(value) ? strict(value) : value;
}

/** Named as kubeconform looks for it. */
const fileOf = (folder: string, { group, version, kind }: { group: string; version: string; kind: string }) =>
  join(folder, `${[kind.toLowerCase(), group.split('.')[0], version].filter((part) => part !== '').join('-')}.json`);

/** Returns the folder with the schemas of this version and of a ServiceMonitor. */
export function writeSchemas(version: string, operator: string): string {
  const folder = join(cache, 'schemas', version);
  mkdirSync(folder, { recursive: true });
  const text = readFileSync(
    join(moduleFolder(`k8s.io/kubernetes@${version}`), 'api/openapi-spec/swagger.json'),
    'utf8',
  );
  const raw = (JSON.parse(text) as { definitions: Record<string, Schema> }).definitions;
  const definitions = { ...eachStrict(raw), 'io.k8s.apimachinery.pkg.api.resource.Quantity': numberOrText };
  writeFileSync(join(folder, 'definitions.json'), JSON.stringify({ definitions }));
  for (const [name, schema] of Object.entries(raw)) {
    const [kind, ...others] = schema['x-kubernetes-group-version-kind'] ?? [];
    if (!kind || others.length > 0 || schema.properties?.['metadata'] === undefined) continue;
    writeFileSync(fileOf(folder, kind), JSON.stringify({ $ref: `definitions.json#/definitions/${name}` }));
  }
  writeServiceMonitor(folder, operator);
  return folder;
}

function writeServiceMonitor(folder: string, operator: string): void {
  const file = 'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml';
  const { spec } = parse(readFileSync(join(moduleFolder(operator), file), 'utf8')) as Definition;
  for (const { name: version, schema } of spec.versions) {
    const { properties, ...others } = strict(schema.openAPIV3Schema);
    // The definition leaves out the fields of metadata.
    const written = { ...others, properties: { ...properties, metadata: { type: 'object' } } };
    writeFileSync(fileOf(folder, { ...spec, version, kind: spec.names.kind }), JSON.stringify(written));
  }
}
