import { invalid } from '../../errors.ts';

/**
 * Reads a body field that has two names, and returns the pointer of the name that was used. Undefined if neither was sent. Two
 * different values are rejected.
 */
export function readAliased<Body extends object, K extends keyof Body & string>(
  body: Body,
  name: K,
  alias: K,
): { value: Exclude<Body[K], undefined>; pointer: string } | undefined {
  const [first, second] = [name, alias].flatMap((one) => {
    const value = body[one] as Exclude<Body[K], undefined> | undefined;
    return value === undefined ? [] : [{ value, pointer: `/${one}` }];
  });
  if (second && first?.value !== second.value) throw contradicting(`/${name}`, `/${alias}`);
  return first;
}

function contradicting(...pointers: [string, string]) {
  const detail = `${pointers.join(' and ')} are two names of one field and have different values. Send only one of them.`;
  return invalid(...pointers.map((pointer) => ({ pointer, detail })));
}
