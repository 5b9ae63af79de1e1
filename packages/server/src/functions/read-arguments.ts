/** Validates a callback's arguments. Invalid arguments are a permanent failure. */
import type { Static, TSchema } from 'typebox';
import { faultFinder } from '@milepost/api';
import { PermanentFailure } from './callback-function.ts';

/** Shows `/headers/x` as `headers/x`, because workflow authors do not know JSON pointers. */
const withoutSlash = (pointer: string) => pointer.slice(1);

export function argumentsReader<S extends TSchema>(schema: S): (given: Readonly<Record<string, unknown>>) => Static<S> {
  const find = faultFinder(schema, withoutSlash);
  return (given) => {
    const faults = find(given).map(({ detail }) => detail);
    if (faults.length > 0) throw new PermanentFailure(`Invalid arguments: ${faults.join(' ')}`);
    return given as Static<S>;
  };
}
