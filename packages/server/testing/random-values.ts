/** Random result values and paths into them. Few names, so that paths often lead somewhere. */
import fc from 'fast-check';

const names = ['a', 'b', 'list', '0', '01', '-1', '__proto__', ''];

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, 1, -2.5, 1e21, '', 'a', 'text'),
    fc.array(tie('value'), { maxLength: 4 }),
    mapOf(tie('value')),
  ),
}));

function mapOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), values), { maxLength: 4, selector: ([name]) => name })
    .map((entries) => Object.fromEntries(entries));
}

export const storedValues = mapOf(value);

export const valuePath: fc.Arbitrary<(string | number)[]> = fc.array(
  fc.oneof(fc.constantFrom(...names), fc.constantFrom(0, 1, 3, -1, 1.5, 1e21)),
  { maxLength: 4 },
);
