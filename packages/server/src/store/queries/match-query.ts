/**
 * The conditions of a query on `experiments`. Other tables are read in scalar subqueries, one lookup for each experiment. As a join, the
 * planner could read a whole table to filter a few experiments.
 */
import { countCharacters, type queries } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import { decides, hasExits, isResting } from '../experiments/resting.ts';
import { startsWith } from '../screens/label-prefix.ts';
import { hasMoved, hasRun } from './past-events.ts';
import type { Resolved, ResolvedQuery } from './resolve-query.ts';

type Check = RawBuilder<boolean>;

const never = sql<boolean>`false`;
export const anyOf = (checks: readonly Check[]): Check =>
  checks.length === 0 ? never : sql<boolean>`(${sql.join(checks, sql` or `)})`;
export const oneOf = (column: RawBuilder<unknown>, ids: readonly number[]): Check =>
  sql<boolean>`${column} = any(${[...ids]}::bigint[])`;

export const matchesQuery = ({ terms, findsSubstrings }: ResolvedQuery): Check => {
  const all = terms.map(({ term, condition }) => {
    const check = sql<boolean>`coalesce(${checkOf(condition, findsSubstrings)}, false)`;
    return term.negated ? sql<boolean>`not ${check}` : check;
  });
  return all.length === 0 ? sql<boolean>`true` : (sql.join(all, sql` and `) as Check);
};

type ChecksByKind = {
  [K in Resolved['kind']]: (condition: Extract<Resolved, { kind: K }>, findsSubstrings: boolean) => Check;
};

const checks: ChecksByKind = {
  word: ({ text }, findsSubstrings) => (findsSubstrings ? hasText(text) : beginsWith(text)),
  choice: ({ name, values }) => anyOf(values.map((value) => choices[name](value))),
  name: (condition) => named(condition),
  text: (condition) => ofText(condition),
  ids: (condition) => inBounds(sql`experiments.id`, 'bigint', condition.anyOf),
  dates: ({ name, anyOf: bounds }) =>
    inBounds(
      name === 'scanned' ? sql`experiments.scandate` : sql`(${changedAt} at time zone 'UTC')`,
      'timestamp',
      bounds,
    ),
  age: ({ anyOf: bounds }) => inBounds(sql`(extract(epoch from now() - ${enteredAt}) * 1000)`, 'numeric', bounds),
  variable: (condition) => variable(condition),
  moves: (condition) => hasMoved(condition),
  runs: (condition) => hasRun(condition),
};

const checkOf = (condition: Resolved, findsSubstrings: boolean): Check =>
  (checks[condition.kind] as (condition: Resolved, findsSubstrings: boolean) => Check)(condition, findsSubstrings);

const types = { bigint: sql`bigint`, timestamp: sql`timestamp`, numeric: sql`numeric` };
const comparisons = { '>': sql`>`, '>=': sql`>=`, '<': sql`<`, '<=': sql`<=` };

export const inBounds = (
  column: RawBuilder<unknown>,
  type: 'bigint' | 'timestamp' | 'numeric',
  alternatives: readonly queries.Bounds<number | string>[],
): Check =>
  anyOf(
    alternatives.map((bounds) => {
      const all = bounds.map(({ operator, value }) => sql`${column} ${comparisons[operator]} ${value}::${types[type]}`);
      return sql<boolean>`(${sql.join(all, sql` and `)})`;
    }),
  );

/** The start of the latest action. */
export const changedAt = sql`(select actions.start_time from actions
  where actions.experiment_id = experiments.id and actions.sequence = experiments.action_sequence)`;
/** The start of the latest action that is no retry. */
export const enteredAt = sql`(select actions.start_time from actions
  where actions.experiment_id = experiments.id and actions.retry_of is null order by actions.sequence desc limit 1)`;

/** As lower() with the collation "C" does. */
const lowered = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** A word of one or two characters is the beginning of a line, for which the index has entries. */
export const textPattern = (word: string): string => {
  const text = lowered(word).replaceAll(/[\\%_]/g, String.raw`\$&`);
  return countCharacters(word) < 3 ? `%\n${text}%` : `%${text}%`;
};

const hasText = (word: string): Check => sql<boolean>`(select experiment_search.text like ${textPattern(word)}
  from experiment_search where experiment_search.experiment_id = experiments.id)`;

const beginsWith = (word: string): Check => sql<boolean>`(${startsWith('experiments.label', word)}
  or (select ${startsWith('subjects.label', word)} from subjects where subjects.id = experiments.subject_id)
  or ${linked((table) => sql<boolean>`starts_with(${sql.ref(`${table}.external_id`)}, ${word})`)})`;

const linked = (check: (table: string) => Check): Check => sql<boolean>`(
  exists (select from external_experiment_links
    where external_experiment_links.experiment_id = experiments.id and ${check('external_experiment_links')} offset 0)
  or exists (select from external_subject_links
    where external_subject_links.subject_id = experiments.subject_id and ${check('external_subject_links')} offset 0))`;

const hasIncident = (more: Check): Check => sql<boolean>`exists (
  select from incidents where incidents.experiment_id = experiments.id and incidents.closed_at is null and ${more} offset 0)`;

/** A condition on `states`. */
export const awaitsDecision = sql<boolean>`(not states.retired and ${hasExits} and ${decides})`;
/** A condition on `states` and `experiments`. */
export const isDue = (value: string): Check =>
  value === 'overdue'
    ? sql<boolean>`experiments.resting_since < now() - (states.decision ->> 'due')::interval`
    : sql<boolean>`true`;

const choices = {
  incident: (value: string): Check => {
    if (value === 'none') return sql<boolean>`not ${hasIncident(sql<boolean>`true`)}`;
    return hasIncident(value === 'any' ? sql<boolean>`true` : sql<boolean>`incidents.kind = ${value}`);
  },
  run: (value: string): Check => sql<boolean>`exists (
    select from actions join callback_executions as one on one.action_id = actions.id
    where actions.experiment_id = experiments.id and actions.sequence = experiments.action_sequence
      and one.status = ${value} offset 0)`,
  decision: (value: string): Check => sql<boolean>`(coalesce(${isResting}, false) and (
    select ${awaitsDecision} and ${isDue(value)} from states where states.id = experiments.state_id))`,
  withdrawn: (value: string): Check => sql<boolean>`(
    select (subjects.withdrawn_at is not null) = ${value === 'yes'} from subjects where subjects.id = experiments.subject_id)`,
};

function named(condition: Extract<Resolved, { kind: 'name' }>): Check {
  if (condition.name !== 'assigned') return oneOf(sql.ref(`experiments.${condition.name}_id`), condition.ids);
  const assignee = sql`(select follow_ups.assignee_id from follow_ups where follow_ups.experiment_id = experiments.id)`;
  const isOne = sql<boolean>`coalesce(${oneOf(assignee, condition.ids)}, false)`;
  return condition.orNobody ? sql<boolean>`(${isOne} or ${assignee} is null)` : isOne;
}

/** Ignores the case of A to Z. */
export const labelMatches = (column: string, values: readonly queries.TextPattern[]): Check =>
  anyOf(
    values.map(({ text, isPrefix }) =>
      isPrefix ? startsWith(column, text) : sql<boolean>`lower(${sql.ref(column)}) = lower(${text}::text collate "C")`,
    ),
  );

const idMatches = (column: string, values: readonly queries.TextPattern[]): Check =>
  anyOf(
    values.map(({ text, isPrefix }) =>
      isPrefix ? sql<boolean>`starts_with(${sql.ref(column)}, ${text})` : sql<boolean>`${sql.ref(column)} = ${text}`,
    ),
  );

function ofText(condition: Extract<Resolved, { kind: 'text' }>): Check {
  if (condition.name === 'external') {
    const { systemId, values } = condition;
    return linked(
      (table) =>
        sql<boolean>`${sql.ref(`${table}.external_system_id`)} = ${systemId} and ${idMatches(`${table}.external_id`, values)}`,
    );
  }
  if (condition.name === 'label') return labelMatches('experiments.label', condition.values);
  return sql<boolean>`(select ${labelMatches('subjects.label', condition.values)}
    from subjects where subjects.id = experiments.subject_id)`;
}

/** Texts ignore the case of A to Z. A number is compared as a number, and no other value is one. */
function variable({ key, texts, anyOf: ranges }: Extract<Resolved, { kind: 'variable' }>): Check {
  const type = sql`jsonb_typeof(variable.value)`;
  const number = sql`case when ${type} = 'number' then variable.value::numeric end`;
  const ofTexts = texts.map(({ text, number: given }) => {
    const isNumber = given === undefined ? never : sql<boolean>`coalesce(${number} = ${given}::numeric, false)`;
    return sql<boolean>`(${isNumber} or (${type} in ('string', 'boolean')
      and lower(variable.value #>> '{}' collate "C") = lower(${text}::text collate "C")))`;
  });
  return sql<boolean>`(select ${anyOf([...ofTexts, inBounds(sql`(${number})`, 'numeric', ranges)])}
    from experiment_variables as variable where variable.experiment_id = experiments.id and variable.name = ${key})`;
}
