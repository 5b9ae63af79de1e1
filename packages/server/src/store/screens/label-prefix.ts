/**
 * Matches labels by prefix, ignoring the case of A to Z. Uses a range, for which the indexes on lower(label) work with any
 * parameter. PostgreSQL cannot turn `like` with a parameter into a range.
 */
import { sql, type RawBuilder } from 'kysely';

/** The last Unicode character, which sorts after everything that can follow the prefix. */
const last = '\u{10FFFF}';

/** Uses the collation of the index. Another one could fold more letters. */
export const startsWith = (column: string, prefix: string): RawBuilder<boolean> => sql<boolean>`(
  lower(${sql.ref(column)}) >= lower(${prefix}::text collate "C")
  and lower(${sql.ref(column)}) < lower(${prefix}::text collate "C") || ${last})`;
