/** Rejects values that do not match their schema. Nothing is coerced. */
import { faultFinder, type Spell } from '@milepost/api';
import type { TSchema } from 'typebox';
import { invalid } from '../errors.ts';

/** Returns a function that throws 400 if a value is invalid. */
export function validator(schema: TSchema, spell?: Spell): (value: unknown) => void {
  const find = faultFinder(schema, spell);
  return (value) => {
    const faults = find(value);
    if (faults.length > 0) throw invalid(...faults);
  };
}
