/** How fast bulk operations and imports run. */
import { Type } from 'typebox';
import * as v from './values.ts';

/** `what`: `experiments it changes`. */
export const paceFields = (what: string) => ({
  waiting_for: {
    ...v.nullable(Type.String()),
    description: 'Why workers cannot continue at this moment. They try again by themselves. Null if they can.',
  },
  per_second: {
    ...v.nullable(Type.Number()),
    description: `How many ${what} in a second. Null if it does not run or waits.`,
  },
  seconds_left: {
    ...v.nullable(Type.Integer({ minimum: 0 })),
    description: 'An estimate. Null if it does not run or waits.',
  },
});
