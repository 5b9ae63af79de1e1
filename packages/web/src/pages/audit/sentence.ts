/** A sentence about a change, as pieces that the page shows with links and colours. Pure, so that tests read all of them. */
import { paths } from '../../paths.ts';
import type { NamedState } from '../../status/state-looks.ts';
import { calendarDay, localDay } from '../../ui/times.ts';
import type { Entry, Name } from './use-audit.ts';

export type Piece =
  | string
  | { as: 'object'; text: string; to: string | undefined }
  | { as: 'state'; state: NamedState }
  | { as: 'old' | 'new'; text: string }
  | { as: 'time'; at: string }
  | { as: 'quote'; text: string }
  | { as: 'arrow' }
  | { as: 'erased' };

export type Values = Readonly<Record<string, unknown>>;

/** An entry and the names of the objects that it mentions. */
export interface Context {
  entry: Entry;
  before: Values;
  after: Values;
  nameOf: (kind: Name['kind'], id: unknown) => Name | undefined;
}

export type Sentence = (context: Context) => readonly Piece[];

export type NamesById = ReadonlyMap<string, Name>;

export const namesById = (names: readonly Name[]): NamesById =>
  new Map(names.map((name) => [`${name.kind} ${name.id}`, name]));

export const contextOf = (entry: Entry, names: NamesById): Context => ({
  entry,
  before: entry.before ?? {},
  after: entry.after ?? {},
  nameOf: (kind, id) => names.get(`${kind} ${String(id)}`),
});

/** A recorded value as text, empty if there is none. */
export const plain = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

export const arrow: Piece = { as: 'arrow' };

export const link = (text: string, to?: string): Piece => ({ as: 'object', text, to });

/** The object of the entry, or the experiment to which it belongs. */
export function object({
  entry: {
    object: { kind, id, label },
    chain,
  },
}: Context): Piece {
  const to =
    chain.kind === 'experiment' && chain.id !== null
      ? paths.experiment(chain.id)
      : pageOf[kind as keyof typeof pageOf]?.(id);
  return link(label ?? `ID ${id}`, to);
}

/** Entries with the same key change the same experiment, or the same object if no experiment is involved. */
export const objectKey = ({ object: { kind, id }, chain }: Entry): string =>
  chain.kind === 'experiment' ? `experiment ${chain.id}` : `${kind} ${id}`;

const pageOf = {
  subject: paths.subject,
  cohort: paths.cohort,
  workflow: paths.workflow,
  user: paths.user,
  external_system: () => paths.externalSystems,
  role: () => paths.roles,
};

/** Another object that the entry names by its id. */
export function named({ nameOf }: Context, kind: 'user' | 'cohort' | 'subject' | 'experiment', id: unknown): Piece {
  const text = nameOf(kind, id)?.label ?? `ID ${plain(id)}`;
  return link(text, pages[kind](Number(id)));
}

const pages = { user: paths.user, cohort: paths.cohort, subject: paths.subject, experiment: paths.experiment };

/** The state that an experiment entered. */
export const enteredState = ({ after }: Context): Piece => ({
  as: 'state',
  state: { id: Number(after['state_id']), label: plain(after['state']) },
});

/** The state that it left. The entry has its label and its transition, which leads to its id. */
export function leftState({ before, after, nameOf }: Context): Piece {
  const state = nameOf('transition', after['transition_id'])?.state;
  const label = before['state'];
  if (typeof label !== 'string') return { as: 'erased' };
  return state?.label === label ? { as: 'state', state } : { as: 'old', text: label };
}

/** `1 state added`. */
export const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** `a, b and c`. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

const words: Readonly<Record<string, string>> = {
  scandate: 'scan date',
  cohort_id: 'cohort',
  subject_id: 'subject',
  assignee_id: 'assigned to',
  workflow_id: 'workflow',
  action_id: 'action ID',
  state_id: 'state ID',
  transition_id: 'transition ID',
  name: 'name',
  email: 'e-mail address',
  url: 'URL',
  system_name: 'name',
  freetext: 'reason',
};

export const fieldWords = (field: string): string => words[field] ?? field.replaceAll('_', ' ');

/** `scan type`, `external system`. */
export const kindWords = (kind: string): string => (kind === 'scantype' ? 'scan type' : kind.replaceAll('_', ' '));

const namedFields = {
  cohort_id: 'cohort',
  subject_id: 'subject',
  assignee_id: 'user',
  experiment_id: 'experiment',
} as const;

/** A recorded value for readers: names instead of ids, days instead of times at midnight. */
export function valueText({ nameOf }: Context, field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return field === 'assignee_id' ? 'nobody' : 'none';
  const kind = namedFields[field as keyof typeof namedFields];
  if (kind !== undefined) return nameOf(kind, value)?.label ?? `ID ${plain(value)}`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = plain(value);
  return field === 'scandate' && text.endsWith('T00:00') ? calendarDay(text) : text;
}

/** `2026-11-14 → 2026-11-15`. */
export function changeOf(context: Context, field: string): Piece[] {
  const { before, after, entry } = context;
  if (entry.erased && !(field in after)) return [{ as: 'erased' }];
  const old: Piece =
    entry.erased && !(field in before)
      ? { as: 'erased' }
      : { as: 'old', text: valueText(context, field, before[field]) };
  return [old, arrow, { as: 'new', text: valueText(context, field, after[field]) }];
}

/** Of one field: `scan date of X: a → b`. Of several: `X: scan date a → b, subject c → d`. */
export function changes(context: Context, what: readonly Piece[], ignored: readonly string[] = []): Piece[] {
  const { entry, after } = context;
  const fields = Object.keys(after).filter((field) => !ignored.includes(field) && !isMark(field));
  const [only, second] = fields;
  if (only === undefined) return entry.erased ? [...what, ': ', { as: 'erased' }] : [...what];
  if (second === undefined) return [`${fieldWords(only)} of `, ...what, ': ', ...changeOf(context, only)];
  const parts = fields.flatMap((field, index): Piece[] => [
    `${index === 0 ? '' : ', '}${fieldWords(field)} `,
    ...changeOf(context, field),
  ]);
  return [...what, ': ', ...parts];
}

const isMark = (field: string) => field === 'import_id' || field === 'bulk_operation_id';

/** For tests and for screen readers. `titleOf` gives the title of a state. */
export const textOf = (
  pieces: readonly Piece[],
  titleOf: (state: NamedState) => string = ({ label }) => label,
): string => pieces.map((piece) => pieceText(piece, titleOf)).join('');

function pieceText(piece: Piece, titleOf: (state: NamedState) => string): string {
  if (typeof piece === 'string') return piece;
  if (piece.as === 'state') return titleOf(piece.state);
  if (piece.as === 'arrow') return ' → ';
  if (piece.as === 'erased') return 'erased';
  if (piece.as === 'time') return localDay(new Date(piece.at));
  return piece.as === 'quote' ? `“${piece.text}”` : piece.text;
}
