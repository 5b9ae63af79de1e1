/** All variants of a response with one specified field removed or replaced by a value of the wrong type. */
import type { Shape, Specification } from './specification.ts';
import { isObject } from './validate.ts';

export interface Tampering {
  what: string;
  body: unknown;
}

const wrongValue = (value: unknown): unknown => (typeof value === 'number' ? 'text' : 1);

export function tamperings(resources: Specification['resources'], shape: Shape, value: unknown): Tampering[] {
  if (Array.isArray(shape)) return ofElements(resources, shape, value);
  if (typeof shape !== 'string') return ofFields(resources, shape, value);
  const resource = resources[shape];
  return resource === undefined ? [] : tamperings(resources, resource, value);
}

const ofElements = (resources: Specification['resources'], shapes: Shape[], value: unknown): Tampering[] =>
  (Array.isArray(value) ? value : []).flatMap((element: unknown, index, all) =>
    shapes
      .flatMap((shape) => [{ what: '', body: wrongValue(element) }, ...tamperings(resources, shape, element)])
      .map(({ what, body }) => ({ what: `[${index}]${what}`, body: all.with(index, body) })),
  );

const ofFields = (resources: Specification['resources'], shapes: Record<string, Shape>, value: unknown): Tampering[] =>
  Object.entries(shapes).flatMap(([field, shape]) => {
    if (!isObject(value)) return [];
    const { [field]: inside, ...others } = value;
    const replaced = [
      { what: ' of the wrong type', body: wrongValue(inside) },
      ...(inside === null ? [] : tamperings(resources, shape, inside)),
    ];
    return [
      { what: `.${field} removed`, body: others },
      ...replaced.map(({ what, body }) => ({ what: `.${field}${what}`, body: { ...value, [field]: body } })),
    ];
  });
