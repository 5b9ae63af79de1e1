/**
 * Labels that begin so, whether A to Z are large or small. Spelled as a range, which the indexes on lower(label) answer whatever
 * the value is; from `like` with a value that is not known yet no range can be made.
 */
import { sql, type RawBuilder } from 'kysely';

/** The last character there is: behind every label that goes on after the prefix. */
const last = '\u{10FFFF}';

/** In the collation of labels, as in the index: another one could know more letters. */
export const startsWith = (column: string, prefix: string): RawBuilder<boolean> => sql<boolean>`(
  lower(${sql.ref(column)}) >= lower(${prefix}::text collate "C")
  and lower(${sql.ref(column)}) < lower(${prefix}::text collate "C") || ${last})`;
