/** The terms that an index serves: each finds the ids of its experiments, in any order, and without reading others. */
import type { queries } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import { isResting } from '../experiments/resting.ts';
import { joinAction, joinExperiment } from '../lateral-joins.ts';
import { startsWith } from '../screens/label-prefix.ts';
import { inScope, type Scope } from '../scope.ts';
import { anyOf, awaitsDecision, inBounds, isDue, labelMatches, oneOf, textPattern } from './match-query.ts';
import { moved, ran, type Near } from './past-events.ts';
import type { Resolved, ResolvedQuery, ResolvedTerm } from './resolve-query.ts';

export interface Source {
  term: ResolvedTerm | undefined;
  /** A query for `id`. It can contain an id twice. */
  ids: RawBuilder<unknown>;
  /** Conditions on `state_counts`, from which the number of ids is known. */
  counted?: RawBuilder<boolean>;
  /** All ids are in the scope. */
  isScoped?: true;
  /** An index alone has the ids, so that listing them costs little. */
  isListed?: true;
  /** Reading few ids can cost much. */
  isCostly?: true;
  /** What `ids` reads, if an index also finds rows that do not match, or an experiment several times. */
  near?: Near;
}

type Check = RawBuilder<boolean>;

const experimentsWhere = (check: Check) => sql`select experiments.id from experiments where ${check}`;
const together = (parts: readonly RawBuilder<unknown>[]) => sql.join(parts, sql` union all `);

/** The experiments of subjects. Looks up each subject, because a join could read all experiments. */
const ofSubjects = (subjects: RawBuilder<unknown>) => sql`
  select found.id from (${subjects}) as chosen (id) cross join lateral (
    select experiments.id from experiments where experiments.subject_id = chosen.id offset 0) as found`;

/** Those that find the fewest experiments come first. */
const order = [
  'ids', 'subject', 'external', 'label', 'word', 'assigned', 'incident', 'run', 'decision', 'withdrawn', 'runs', 'moves', 'dates', 'state', 'cohort', 'workflow',
]; // prettier-ignore

const rankOf = ({ term }: Source): number => {
  const condition = term?.condition;
  return condition === undefined
    ? order.length
    : order.indexOf('name' in condition ? nameOf(condition) : condition.kind);
};
/** Longer words are rarer. */
const lengthOf = ({ term }: Source) => (term?.term.kind === 'word' ? term.term.text.length : 0);
const nameOf = (condition: Extract<Resolved, { name: string }>) =>
  ['dates', 'moves', 'runs'].includes(condition.kind) ? condition.kind : condition.name;

export function sourcesOf(scope: Scope, query: ResolvedQuery): Source[] {
  const found = query.terms.flatMap((term) => {
    const source = term.term.negated ? undefined : sourceOf(term, scope, query);
    return source ? [{ ...source, term }] : [];
  });
  const all: Source = {
    term: undefined,
    ids: experimentsWhere(inScope(scope, 'experiments.cohort_id')),
    counted: inScope(scope, 'state_counts.cohort_id'),
    isScoped: true,
    isListed: true,
  };
  return [...found, all].toSorted((a, b) => rankOf(a) - rankOf(b) || lengthOf(b) - lengthOf(a));
}

function sourceOf(
  { condition }: ResolvedTerm,
  scope: Scope,
  { findsSubstrings }: ResolvedQuery,
): Omit<Source, 'term'> | undefined {
  switch (condition.kind) {
    case 'word':
      return findsSubstrings ? containing(condition.text, scope) : { ids: beginning(condition.text) };
    case 'choice':
      return choice(condition);
    case 'name':
      return named(condition);
    case 'text':
      return { ids: together(condition.values.map((value) => ofText(condition, value))) };
    case 'ids':
      return listed(together(condition.anyOf.map((bounds) => bounded('experiments.id', 'bigint', bounds))));
    case 'dates':
      if (condition.name === 'changed') return undefined;
      return listed(together(condition.anyOf.map((bounds) => bounded('experiments.scandate', 'timestamp', bounds))));
    case 'moves':
      return ofPast(moved(condition), condition.name === 'arrived' && { isListed: true });
    case 'runs':
      return ofPast(ran(condition));
    case 'age':
    case 'variable':
      return undefined;
    default:
      return condition satisfies never;
  }
}

const ofPast = (near: Near, more: false | { isListed: true } = false) => ({
  ids: sql`with near as (${near.rows}) ${near.matching}`,
  near,
  ...more,
});

const listed = (ids: RawBuilder<unknown>) => ({ ids, isListed: true }) as const;

const bounded = (column: string, type: 'bigint' | 'timestamp', bounds: queries.Bounds<number | string>) =>
  experimentsWhere(sql<boolean>`${sql.ref(column)} is not null and ${inBounds(sql.ref(column), type, [bounds])}`);

/**
 * The index has groups of three letters and digits. Without one, it would be read as a whole. A frequent group still costs a look at each
 * text that has it.
 */
export const containing = (word: string, scope: Scope): Omit<Source, 'term'> | undefined =>
  /[\p{L}\p{N}]{3}/u.test(word) ? { ids: withText(word, scope), isScoped: true, isCostly: true } : undefined;

const withText = (word: string, scope: Scope) => sql`
  select experiment_search.experiment_id as id from experiment_search
  where experiment_search.text like ${textPattern(word)} and ${inScope(scope, 'experiment_search.cohort_id')}`;

const beginning = (word: string) =>
  together([
    experimentsWhere(startsWith('experiments.label', word)),
    ofSubjects(sql`select subjects.id from subjects where ${startsWith('subjects.label', word)}`),
    ...linked(sql`(select external_systems.id from external_systems)`, { text: word, isPrefix: true }),
  ]);

/** The index has the first 255 characters. */
const last = '\u{10FFFF}';
const linkMatches = (table: string, { text, isPrefix }: queries.TextPattern): Check => {
  const [column, indexed] = [sql.ref(`${table}.external_id`), sql`left(${sql.ref(`${table}.external_id`)}, 255)`];
  const start = Array.from(text).slice(0, 255).join('');
  return isPrefix
    ? sql<boolean>`${indexed} >= ${start} and ${indexed} < ${start + last} and starts_with(${column}, ${text})`
    : sql<boolean>`${indexed} = ${start} and ${column} = ${text}`;
};

const linked = (systems: RawBuilder<unknown>, pattern: queries.TextPattern) => [
  sql`select external_experiment_links.experiment_id as id from external_experiment_links
    where external_experiment_links.external_system_id in ${systems} and ${linkMatches('external_experiment_links', pattern)}`,
  ofSubjects(sql`select external_subject_links.subject_id from external_subject_links
    where external_subject_links.external_system_id in ${systems} and ${linkMatches('external_subject_links', pattern)}`),
];

function ofText(condition: Extract<Resolved, { kind: 'text' }>, value: queries.TextPattern): RawBuilder<unknown> {
  if (condition.name === 'external') return together(linked(sql`(${condition.systemId})`, value));
  if (condition.name === 'label') {
    const matching = experimentsWhere(labelMatches('experiments.label', [value]));
    return sql`(${matching} order by lower(experiments.label), experiments.id)`;
  }
  return ofSubjects(sql`select subjects.id from subjects where ${labelMatches('subjects.label', [value])}
    order by lower(subjects.label), subjects.id`);
}

function choice({ name, values }: Extract<Resolved, { kind: 'choice' }>): Omit<Source, 'term'> | undefined {
  if (values.includes('none') || values.includes('no')) return undefined;
  if (name === 'withdrawn')
    return { ids: ofSubjects(sql`select subjects.id from subjects where subjects.withdrawn_at is not null`) };
  if (name === 'decision') return listed(awaiting(values));
  if (name === 'run') return listed(together(values.map(withRun)));
  return listed(withIncident(values));
}

/** The status is a literal, so that the partial index of open executions applies. */
const withRun = (status: string) => sql`
  select experiments.id from callback_executions as one ${joinAction} ${joinExperiment('actions.experiment_id')}
  where one.status = ${sql.lit(status)} and experiments.action_sequence = actions.sequence`;

/** Also in the order of their ids, after one of them. */
export const withIncident = (kinds: readonly string[], more = sql<boolean>`true`) => sql`
  select incidents.experiment_id as id from incidents
  where incidents.closed_at is null and incidents.experiment_id is not null and ${more}
    and ${kinds.includes('any') ? sql`true` : sql`incidents.kind = any(${[...kinds]}::text[])`}`;

/** Finds the states first. The index of resting experiments has the rest. */
const awaiting = (values: readonly string[]) => sql`
  select found.id from (select states.* from states where ${awaitsDecision} offset 0) as states cross join lateral (
    select experiments.id from experiments
    where experiments.state_id = states.id and ${isResting} and ${anyOf(values.map(isDue))} offset 0) as found`;

/** Also in the order of their ids, after one of them. */
export const assignedTo = (users: readonly number[], more = sql<boolean>`true`) => sql`
  select follow_ups.experiment_id as id from follow_ups
  where ${users.length === 1 ? sql`follow_ups.assignee_id = ${users[0]}` : oneOf(sql`follow_ups.assignee_id`, users)} and ${more}`;

function named(condition: Extract<Resolved, { kind: 'name' }>): Omit<Source, 'term'> | undefined {
  const { name, ids } = condition;
  if (name === 'assigned') {
    return condition.orNobody ? undefined : listed(assignedTo(ids));
  }
  if (name === 'workflow') {
    const states = (column: string) =>
      sql<boolean>`${sql.ref(column)} in (select states.id from states where ${oneOf(sql`states.workflow_id`, ids)})`;
    return { ...listed(experimentsWhere(states('experiments.state_id'))), counted: states('state_counts.state_id') };
  }
  const column = `${name}_id`;
  return {
    ...listed(experimentsWhere(oneOf(sql.ref(`experiments.${column}`), ids))),
    counted: oneOf(sql.ref(`state_counts.${column}`), ids),
  };
}
