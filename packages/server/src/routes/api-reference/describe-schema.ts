/** Renders a JSON Schema as a table with one row for each field. */
import { html, withCode, type Html } from './html.ts';

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  readOnly?: boolean;
  /** Set for the body or response of one operation, which is shown with the operation. */
  'x-operation'?: string;
}

export const nameOf = (reference: string) => reference.split('/').at(-1) ?? '';

export const linkTo = (reference: string): Html =>
  html`<a href="#schema-${nameOf(reference)}">${nameOf(reference)}</a>`;

export function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) return linkTo(schema.$ref);
  if (schema.anyOf) return joined(schema.anyOf.map(typeOf), ' or ');
  if (schema.enum)
    return joined(
      schema.enum.map((value) => html`<code>${String(value)}</code>`),
      ', ',
    );
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.items) return html`list of ${typeOf(schema.items)}`;
  if (schema.properties) return objectType(schema.properties);
  return html`${[schema.type ?? 'any value'].flat().join(' or ')}${limitsOf(schema)}`;
}

/** An object with a single field is shown inline. */
function objectType(properties: Record<string, Schema>): Html {
  const [field, ...others] = Object.entries(properties);
  return field && others.length === 0 ? html`<code>${field[0]}</code>: ${typeOf(field[1])}` : html`object`;
}

const joined = (parts: readonly Html[], by: string): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : html`${by}${part}`))}`;

/** Leaves out limits that only reflect the range of JSON numbers. */
function limitsOf({ format, minimum, maximum, minLength, maxLength }: Schema): string {
  const limits = [
    format,
    minimum !== undefined && minimum !== 1 ? `from ${minimum}` : undefined,
    maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? `to ${maximum}` : undefined,
    minLength !== undefined && minLength > 1 ? `at least ${minLength} characters` : undefined,
    maxLength === undefined ? undefined : `at most ${maxLength} characters`,
  ].filter((limit) => limit !== undefined);
  return limits.length === 0 ? '' : ` (${limits.join(', ')})`;
}

/** The fields of an object, except read-only ones. */
export function fieldsOf({ properties = {}, required = [] }: Schema): Html {
  const fields = Object.entries(properties).filter(([, field]) => field.readOnly !== true);
  if (fields.length === 0) return html``;
  const row = ([name, field]: [string, Schema]) =>
    html`<tr>
      <td><code>${name}</code>${required.includes(name) ? html` <b>required</b>` : undefined}</td>
      <td>${typeOf(field)}</td>
      <td>${withCode(field.description ?? '')}</td>
    </tr>`;
  return html`<table>
    <thead>
      <tr>
        <th>Field</th>
        <th>Type</th>
        <th>Description</th>
      </tr>
    </thead>
    <tbody>
      ${fields.map(row)}
    </tbody>
  </table>`;
}
