/** Limits logs in the database to 1 MiB. The middle of a longer log is replaced by a mark. */
import { sql, type RawBuilder } from 'kysely';
import { cutMark } from '../../cut-text.ts';

const maxBytes = 1024 * 1024;

/** Cuts by characters of average size, because cutting by bytes could split a character. */
export const shortenLog = (log: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select case when octet_length(whole.log) <= ${sql.lit(maxBytes)} then whole.log
    else left(whole.log, half.characters) || ${cutMark} || right(whole.log, half.characters) end
  from (select ${log} as log) as whole
  cross join lateral (select (${sql.lit((maxBytes - cutMark.length) / 2 - 1000)}::bigint
    * char_length(whole.log) / greatest(octet_length(whole.log), 1))::integer as characters) as half)`;
