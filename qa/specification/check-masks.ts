/** Sends the header X-Fields with each field of the response. */
import { exchange, type Check } from './check.ts';
import { fieldsOf } from './compare.ts';
import type { Shape } from './resources.ts';

export async function checkMasks(check: Check): Promise<void> {
  const { response, fieldsMask } = check.operation;
  const { name, fields } = fieldsOf(response);
  for (const [field, shape] of Object.entries(fields)) {
    await expectOnly(check, `{${field}}`, fieldsMask === false ? response : { [field]: shape }, name);
    const [inner] = Object.keys(fieldsOf(shape).fields);
    if (inner !== undefined) await expectOnly(check, `{${field}{${inner}}}`, { [field]: narrow(shape, inner) }, name);
  }
}

async function expectOnly(check: Check, mask: string, response: Shape, name: string): Promise<void> {
  const { status = 200, ...request } = await check.valid();
  await exchange(check, request, { status, when: `X-Fields: ${mask}`, response, name }, { mask });
}

/** The same shape with one field of its objects. */
function narrow(shape: Shape, inner: string): Shape {
  const only = { [inner]: fieldsOf(shape).fields[inner] ?? 'object' };
  return Array.isArray(shape) ? [only] : only;
}
