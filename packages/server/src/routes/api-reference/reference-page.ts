/** Generates the API reference from the OpenAPI document, as one page without scripts or external resources. */
import { fieldsOf, linkTo, nameOf, typeOf, type Schema } from './describe-schema.ts';
import { Html, html, prose, withCode } from './html.ts';

interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

interface Content {
  'application/json'?: { schema: Schema; example?: unknown };
}

interface OperationObject {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  parameters: readonly Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface ApiDocument {
  info: { title: string; version: string; description: string };
  servers: readonly { url: string }[];
  tags: readonly { name: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

interface Listed {
  method: string;
  path: string;
  operation: OperationObject;
}

/** From `<base path>/docs`. */
const startPage = ({ servers }: ApiDocument) =>
  '../'.repeat((servers[0]?.url ?? '').split('/').filter((part) => part !== '').length);

export function referencePage(printed: ApiDocument): string {
  const document = withInlineBodies(printed);
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Listed => ({ method: method.toUpperCase(), path, operation })),
  );
  const sections = document.tags.map(({ name }) => ({
    name,
    id: name.toLowerCase().replaceAll(/\W+/g, '-'),
    operations: listed.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const { title, version, description } = document.info;
  const page = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title} ${version} API reference</title>
      <link rel="stylesheet" href="docs/style.css" />
    </head>
    <body>
      <nav aria-label="Contents">
        <p><a href="${startPage(document)}">Back to ${title}</a></p>
        <a class="name" href="#top">${title} <small>${version}</small></a>
        ${sections.map(contents)}
        <h2><a href="#schemas">Schemas</a></h2>
      </nav>
      <main id="top">
        <h1>${title} API reference</h1>
        <p>${description}</p>
        <p>
          Every path starts with <code>${document.servers[0]?.url}</code>. The OpenAPI document is
          <a href="openapi.json">openapi.json</a>.
        </p>
        ${sections.map((section) => sectionOf(section, document))}
        <h2 id="schemas">Schemas</h2>
        ${Object.entries(document.components.schemas).map(schemaOf)}
      </main>
    </body>
  </html>`;
  return `<!doctype html>\n${page.text}`;
}

interface Section {
  name: string;
  id: string;
  operations: readonly Listed[];
}

const contents = ({ name, id, operations }: Section): Html =>
  html`<details>
    <summary>${name}</summary>
    <ul>
      <li><a href="#${id}">${name}: all operations</a></li>
      ${operations.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}
    </ul>
  </details>`;

const sectionOf = ({ name, id, operations }: Section, document: ApiDocument): Html =>
  html`<section>
    <h2 id="${id}">${name}</h2>
    ${operations.map((listed) => operationOf(listed, document))}
  </section>`;

const operationOf = ({ method, path, operation }: Listed, document: ApiDocument): Html =>
  html`<article id="${operation.operationId}">
    <h3>${operation.summary}</h3>
    <p class="address"><b class="${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
    ${prose(operation.description)} ${parametersOf(operation, document)} ${bodyOf(operation)} ${responsesOf(operation)}
    <p class="small">Operation: <code>${operation.operationId}</code></p>
  </article>`;

const parameterRow = ({ name, in: place, required, description = '', schema = {} }: Parameter) =>
  html`<tr>
    <td><code>${name}</code>${required ? html` <b>required</b>` : undefined}</td>
    <td>${place}</td>
    <td>${typeOf(schema)}</td>
    <td>${withCode(description)}</td>
  </tr>`;

function parametersOf({ parameters }: OperationObject, document: ApiDocument): Html {
  const known = parameters.map(({ $ref, ...own }) =>
    $ref === undefined ? own : (document.components.parameters[$ref.split('/').at(-1) ?? ''] ?? own),
  );
  if (known.length === 0) return html``;
  return html`<h4>Parameters</h4>
    <table>
      <thead>
        <tr>
          <th>Name</th>
          <th>In</th>
          <th>Type</th>
          <th>Description</th>
        </tr>
      </thead>
      <tbody>
        ${known.map(parameterRow)}
      </tbody>
    </table>`;
}

function bodyOf({ requestBody }: OperationObject): Html {
  const json = requestBody?.content['application/json'];
  if (!json) return html``;
  const fields = json.schema.$ref === undefined ? fieldsOf(json.schema) : linkTo(json.schema.$ref);
  return html`<h4>Request body</h4>
    ${fields} ${exampleOf(json.example)}`;
}

const exampleOf = (example: unknown): Html =>
  example === undefined ? html`` : html`<pre tabindex="0">${JSON.stringify(example, null, 2)}</pre>`;

function responsesOf({ responses }: OperationObject): Html {
  const row = ([status, { description, content }]: [string, OperationObject['responses'][string]]) => {
    const schema = content?.['application/json']?.schema;
    return html`<tr>
      <td>${status}</td>
      <td>${withCode(description)}</td>
      <td>${schema ? typeOf(schema) : undefined}</td>
    </tr>`;
  };
  const [example] = Object.values(responses).flatMap(({ content }) => content?.['application/json']?.example ?? []);
  return html`<h4>Responses</h4>
    <table>
      <thead>
        <tr>
          <th>Status</th>
          <th>Description</th>
          <th>Body</th>
        </tr>
      </thead>
      <tbody>
        ${Object.entries(responses).map(row)}
      </tbody>
    </table>
    ${exampleOf(example)}`;
}

const isOfOperation = ([, schema]: [string, Schema]) => schema['x-operation'] !== undefined;

/** Shows the body and response of an operation with the operation instead of under Schemas. */
function withInlineBodies(document: ApiDocument): ApiDocument {
  const { schemas } = document.components;
  const inline = new Map(Object.entries(schemas).filter(isOfOperation));
  const paths = JSON.parse(JSON.stringify(document.paths), (_key, value: Schema | null) =>
    typeof value?.$ref === 'string' ? (inline.get(nameOf(value.$ref)) ?? value) : value,
  ) as ApiDocument['paths'];
  const shown = Object.entries(schemas).filter((one) => !isOfOperation(one));
  return { ...document, paths, components: { ...document.components, schemas: Object.fromEntries(shown) } };
}

const schemaOf = ([name, schema]: [string, Schema]): Html =>
  html`<article id="schema-${name}">
    <h3>${name}</h3>
    ${prose(schema.description ?? '')} ${fieldsOf(schema)}
  </article>`;
