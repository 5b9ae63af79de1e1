/** Compares one of our schemas with a shape of interface.json. */
import type { JsonSchema } from '../src/schema.ts';

/** A primitive or the name of a resource; an array of one shape; an object of shapes. */
export type Shape = string | Shape[] | { [field: string]: Shape };

export interface Differences {
  faults: Set<string>;
  additions: Set<string>;
}

interface Context extends Differences {
  resources?: Record<string, Shape>;
}

/** The name of a field in a report, if it is specified or if it is an addition. */
interface Naming {
  place: (name: string) => string;
  added: (name: string) => string;
}

const alternatives = (schema: JsonSchema): readonly JsonSchema[] => schema.anyOf ?? [schema];

const kindOf = (schema: JsonSchema): string =>
  schema.type ?? (schema.enum === undefined ? 'unknown' : typeof schema.enum[0]);

const nameOf = (schema: JsonSchema): string => schema.title ?? kindOf(schema);

/** Differences of a specified resource are reported once, under its title, wherever it occurs. */
const within = ({ resources = {} }: Context, place: string, { title }: JsonSchema): string =>
  title !== undefined && title in resources ? title : place;

const kindOfShape = (shape: Shape): string => {
  if (Array.isArray(shape)) return 'array';
  return typeof shape === 'string' ? shape : 'object';
};

export const compareFields = (
  context: Context,
  shapes: Record<string, Shape>,
  schemas: Readonly<Record<string, JsonSchema>>,
  { place, added }: Naming,
) => {
  for (const [name, shape] of Object.entries(shapes)) {
    const schema = schemas[name];
    if (schema === undefined) context.faults.add(`${place(name)} is missing`);
    else compareShape(context, shape, schema, place(name));
  }
  for (const name of Object.keys(schemas)) if (!(name in shapes)) context.additions.add(added(name));
};

const compareInside = (context: Context, shape: Shape, schema: JsonSchema, place: string) => {
  if (typeof shape === 'string') return;
  if (Array.isArray(shape)) {
    for (const element of shape) compareShape(context, element, schema.items ?? {}, `${place}[]`);
    return;
  }
  const fieldOf = (name: string) => `${within(context, place, schema)}.${name}`;
  const { properties = {}, required = [] } = schema;
  compareFields(context, shape, properties, { place: fieldOf, added: fieldOf });
  for (const name of Object.keys(shape))
    if (name in properties && !required.includes(name)) context.additions.add(`${fieldOf(name)} also absent`);
};

/** The shape, with a resource name replaced. Undefined if the schema has that name, because it is compared separately. */
const expanded = ({ resources = {} }: Context, shape: Shape, schema: JsonSchema): Shape | undefined => {
  if (typeof shape !== 'string' || !(shape in resources)) return shape;
  return alternatives(schema).some(({ title }) => title === shape) ? undefined : resources[shape];
};

export const compareShape = (context: Context, named: Shape, schema: JsonSchema, place: string): void => {
  const shape = expanded(context, named, schema);
  const isMatch = (found: JsonSchema) =>
    shape === undefined ? found.title === named : kindOf(found) === kindOfShape(shape);
  if (named === 'unknown') {
    context.additions.add(`${place} is shown`);
    return;
  }
  const match = alternatives(schema).find(isMatch);
  if (match === undefined) {
    context.faults.add(`${place} is ${alternatives(schema).map(nameOf).join(' or ')}, not ${kindOfShape(named)}`);
    return;
  }
  for (const other of alternatives(schema))
    if (other !== match) context.additions.add(`${place} also ${nameOf(other)}`);
  if (shape !== undefined) compareInside(context, shape, match, place);
};
