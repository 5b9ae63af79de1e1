/** Logs in the database: up to 1 MiB, and of longer ones the middle goes, with a mark that says so. */
import { sql, type RawBuilder } from 'kysely';

const mostBytes = 1024 * 1024;
const mark = '\n[... cut here ...]\n';

/** Characters are counted by what one takes on average, as cutting by bytes could cut through one. */
export const shortened = (log: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select case when octet_length(whole.log) <= ${sql.lit(mostBytes)} then whole.log
    else left(whole.log, half.characters) || ${mark} || right(whole.log, half.characters) end
  from (select ${log} as log) as whole
  cross join lateral (select floor(${sql.lit((mostBytes - mark.length) / 2 - 1000)}
    * char_length(whole.log) / greatest(octet_length(whole.log), 1))::integer as characters) as half)`;
