/** A callback's arguments, held against what its function takes. What does not fit would not fit the next time either. */
import type { Static, TSchema } from 'typebox';
import { faultFinder } from '../validation/validate.ts';
import { LastingFailure } from './callback-function.ts';

/** `/headers/x` is told as `headers/x`, as authors of workflows know no pointers. */
const spelled = (pointer: string) => pointer.slice(1);

export function argumentsReader<S extends TSchema>(schema: S): (given: Readonly<Record<string, unknown>>) => Static<S> {
  const find = faultFinder(schema, spelled);
  return (given) => {
    const faults = find(given).map(({ detail }) => detail);
    if (faults.length > 0) throw new LastingFailure(`The arguments do not fit: ${faults.join(' ')}`);
    return given as Static<S>;
  };
}
