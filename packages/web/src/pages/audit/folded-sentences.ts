/** One sentence about several entries of the same operation, with their number. Entries of other operations stay single. */
import { paths } from '../../paths.ts';
import { count, countOf } from '../../ui/numbers.ts';
import {
  contextOf,
  enteredState,
  kindWords,
  leftState,
  link,
  listed,
  named,
  object,
  objectKey,
  plain,
  textOf,
  type Context,
  type NamesById,
  type Piece,
} from './sentence.ts';
import { outcomeOf } from './study-sentences.ts';
import type { Entry } from './use-audit.ts';

interface Fold {
  /** Oldest first. */
  contexts: readonly [Context, ...Context[]];
  /** How many different objects the entries change. */
  objects: number;
}

type FoldedSentence = (fold: Fold) => readonly Piece[];

/** The piece of the first entry, or undefined if another entry has a different one. */
function shared({ contexts }: Fold, piece: (context: Context) => Piece): Piece | undefined {
  const first = piece(contexts[0]);
  return contexts.every((context) => textOf([piece(context)]) === textOf([first])) ? first : undefined;
}

const optional = (word: string, piece: Piece | undefined): Piece[] => (piece === undefined ? [] : [word, piece]);

/** `X` or `28 experiments`. */
const whole = ({ contexts, objects }: Fold, noun: string): Piece =>
  objects === 1 ? object(contexts[0]) : countOf(objects, noun);

const times = ({ contexts, objects }: Fold): string => (objects === 1 ? ` ${count(contexts.length)} times` : '');

/** `Corrected X 3 times`, `Corrected 28 experiments`. */
const changed =
  (verb: string, noun: string): FoldedSentence =>
  (fold) => [`${verb} `, whole(fold, noun), times(fold)];

const objectId = ({ entry }: Context): string[] => [String(entry.object.id)];

const partNames = ({ contexts }: Fold, namesOf: (context: Context) => string[]) => [
  ...new Set(contexts.flatMap(namesOf)),
];

/** `Added 3 notes to X`, `Added notes to 28 experiments`. A part that is changed again counts once. */
const parts =
  (verb: string, part: string, word: string, noun = 'experiment', namesOf = objectId): FoldedSentence =>
  (fold) => {
    const { length } = partNames(fold, namesOf);
    const what = fold.objects > 1 || length === 0 ? `${part}s` : countOf(length, part);
    const again = fold.objects === 1 && length < fold.contexts.length ? times(fold) : '';
    return [`${verb} ${what} ${word} `, whole(fold, noun), again];
  };

/** The first and the last state of one experiment, or the states that several have in common. */
function fromTo(fold: Fold): Piece[] {
  const { contexts, objects } = fold;
  if (objects > 1) {
    return [...optional(' from ', shared(fold, leftState)), ...optional(' to ', shared(fold, enteredState))];
  }
  return [' from ', leftState(contexts[0]), ' to ', enteredState(contexts.at(-1) ?? contexts[0])];
}

/** `Moved X 2 times, from a to c`, `Moved 28 experiments from a to b`. */
const moves =
  (verb: string): FoldedSentence =>
  (fold) => [`${verb} `, whole(fold, 'experiment'), fold.objects === 1 ? `${times(fold)},` : '', ...fromTo(fold)];

const moved = moves('Moved');

const isMove = ({ contexts: [{ after }] }: Fold) => 'state_id' in after;

/** All entries of a fold have the same outcome. */
const outcome = ({ contexts }: Fold): string => outcomeOf(contexts[0], countOf(contexts.length, 'incident'));

const ended: FoldedSentence = (fold) => {
  if (isMove(fold)) return moved(fold);
  const what = fold.objects === 1 ? countOf(fold.contexts.length, 'action') : 'actions';
  return [`Ended ${what} of `, whole(fold, 'experiment'), outcome(fold)];
};

const evaluated: FoldedSentence = (fold) => [
  'Re-evaluated ',
  whole(fold, 'experiment'),
  times(fold),
  ...(isMove(fold) ? [': moved', ...fromTo(fold)] : [outcome(fold)]),
];

const importedWorkflow: FoldedSentence = (fold) => {
  const { contexts, objects } = fold;
  if (contexts[0].entry.object.kind === 'workflow') {
    return objects === 1
      ? [`Imported ${countOf(contexts.length, 'revision')} of workflow `, object(contexts[0])]
      : [`Imported ${countOf(objects, 'workflow')}`];
  }
  const whose = objects === 1 ? 'its' : 'their';
  const to = objects === 1 ? enteredState(contexts.at(-1) ?? contexts[0]) : shared(fold, enteredState);
  const end = ` with a new revision of ${whose} workflow`;
  return ['Moved ', whole(fold, 'experiment'), times(fold), ...optional(' to ', to), end];
};

const retried: FoldedSentence = (fold) => [
  'Retried ',
  whole(fold, 'experiment'),
  times(fold),
  ...optional(' in ', shared(fold, enteredState)),
];

const assigned: FoldedSentence = (fold) => {
  const ids = new Set(fold.contexts.map(({ after }) => after['assignee_id']));
  const [id] = ids;
  if (fold.objects === 1 || ids.size > 1) return ['Changed the assignment of ', whole(fold, 'experiment'), times(fold)];
  if (id === null || id === undefined) return ['Unassigned ', whole(fold, 'experiment')];
  return ['Assigned ', whole(fold, 'experiment'), ' to ', named(fold.contexts[0], 'user', id)];
};

const snoozed: FoldedSentence = (fold) => {
  const set = new Set(fold.contexts.map(({ after }) => typeof after['snoozed_until'] === 'string'));
  const verb = set.size > 1 ? 'Changed the snooze of ' : set.has(true) ? 'Snoozed ' : 'Ended the snooze of ';
  return [verb, whole(fold, 'experiment'), times(fold)];
};

const values = (side: unknown) => (side ?? {}) as Readonly<Record<string, unknown>>;

const variableNames = ({ after }: Context) => Object.keys(values(after['variables']));

/** A few variables are named. */
const maxNamed = 3;

const variables: FoldedSentence = (fold) => {
  const sentence = parts('Set', 'variable', 'of', 'experiment', variableNames)(fold);
  const found = partNames(fold, variableNames);
  const areNamed = fold.objects === 1 && found.length > 0 && found.length <= maxNamed;
  return areNamed ? [...sentence, `: ${listed(found)}`] : sentence;
};

/** External IDs or URLs are recorded as a whole before and after. */
const changedSystems =
  (list: string) =>
  ({ before, after }: Context): string[] => {
    const [old, now] = [values(before[list]), values(after[list])];
    return Object.keys({ ...old, ...now }).filter((name) => old[name] !== now[name]);
  };

const created =
  (noun: string, end: (fold: Fold) => readonly Piece[] = () => []): FoldedSentence =>
  (fold) => [`Created ${countOf(fold.contexts.length, noun)}`, ...end(fold)];

const inCohort = (fold: Fold): Piece[] => {
  const ids = new Set(fold.contexts.map(({ after }) => after['cohort_id']));
  const [id] = ids;
  return ids.size === 1 && typeof id === 'number' ? [' in cohort ', named(fold.contexts[0], 'cohort', id)] : [];
};

const withSubject =
  (verb: string): FoldedSentence =>
  (fold) =>
    fold.contexts[0].entry.object.kind === 'subject'
      ? changed(verb, 'subject')(fold)
      : [...changed(verb, 'experiment')(fold), ` with ${fold.objects === 1 ? 'its' : 'their'} subject`];

function onCohorts({ contexts }: Fold): Piece[] {
  const ids = new Set(contexts.map(({ after }) => after['cohort_id']).filter((id) => id !== undefined));
  const [id] = ids;
  if (ids.size === 1) return [' on cohort ', named(contexts[0], 'cohort', id)];
  return ids.size === 0 ? [] : [` on ${countOf(ids.size, 'cohort')}`];
}

const roles =
  (verb: string, word: string): FoldedSentence =>
  (fold) => {
    const { contexts, objects } = fold;
    const names = new Set(contexts.map(({ before, after }) => plain(after['role'] ?? before['role'])));
    const [name] = names;
    const what: Piece[] =
      names.size === 1 && name !== undefined
        ? [`${verb} role `, link(name, paths.roles)]
        : [`${verb} ${objects === 1 ? countOf(names.size, 'role') : 'roles'}`];
    return [...what, ...onCohorts(fold), ` ${word} `, whole(fold, 'user')];
  };

const configured: FoldedSentence = (fold) => {
  const [{ entry }] = fold.contexts;
  const noun = kindWords(entry.object.kind);
  const verb = entry.before === null ? 'Created ' : 'Changed ';
  return [verb, whole(fold, noun), times(fold), ' from a configuration file'];
};

const externalIds = (verb: string, noun: string) =>
  parts(verb, 'external ID', 'of', noun, changedSystems('external_ids'));

const externalUrls = (verb: string) => parts(verb, 'external URL', 'of', 'cohort', changedSystems('external_urls'));

export const foldedSentences: Readonly<Record<string, FoldedSentence>> = {
  setExperimentState: moved,
  endAction: ended,
  importWorkflow: importedWorkflow,
  placeExperiment: moves('Corrected the state of'),
  retryExperiment: retried,
  retryCallbackExecution: (fold) => [`Retried ${countOf(fold.contexts.length, 'run')} of `, whole(fold, 'experiment')],
  evaluateExperiment: evaluated,
  assignExperiment: assigned,
  snoozeExperiment: snoozed,
  setExperimentVariable: variables,
  updateExperiment: changed('Corrected', 'experiment'),
  updateSubject: changed('Corrected', 'subject'),
  updateAction: parts('Corrected', 'action', 'of'),
  updateCohort: changed('Changed', 'cohort'),
  addNote: parts('Added', 'note', 'to'),
  createCohort: created('cohort'),
  createSubject: created('subject', inCohort),
  createExperiment: created('experiment', (fold) => optional(' in ', shared(fold, enteredState))),
  createScan: parts('Added', 'scan', 'to'),
  withdrawSubject: withSubject('Withdrew'),
  requestErasure: changed('Requested the erasure of', 'subject'),
  eraseSubject: withSubject('Erased'),
  addCohortExternalUrls: externalUrls('Set'),
  setCohortExternalUrl: externalUrls('Set'),
  deleteCohortExternalUrl: externalUrls('Removed'),
  addSubjectExternalIds: externalIds('Set', 'subject'),
  setSubjectExternalId: externalIds('Set', 'subject'),
  deleteSubjectExternalId: externalIds('Removed', 'subject'),
  createExternalSubjectLink: externalIds('Set', 'subject'),
  replaceExternalSubjectLink: externalIds('Set', 'subject'),
  addExperimentExternalIds: externalIds('Set', 'experiment'),
  setExperimentExternalId: externalIds('Set', 'experiment'),
  deleteExperimentExternalId: externalIds('Removed', 'experiment'),
  createExternalExperimentLink: externalIds('Set', 'experiment'),
  replaceExternalExperimentLink: externalIds('Set', 'experiment'),
  assignUserRole: roles('Assigned', 'to'),
  removeUserRole: roles('Removed', 'from'),
  assignCohortRole: roles('Assigned', 'to'),
  removeCohortRole: roles('Removed', 'from'),
  createUser: created('user'),
  createExternalSystem: created('external system'),
  importConfig: configured,
  overwriteConfig: configured,
};

export const canFold = (operation: string): boolean => foldedSentences[operation] !== undefined;

/** Entries are newest first, as in the list. */
export function foldedSentence(entries: readonly [Entry, ...Entry[]], names: NamesById): readonly Piece[] {
  const [oldest = entries[0], ...newer] = entries.toReversed();
  const contexts = [contextOf(oldest, names), ...newer.map((entry) => contextOf(entry, names))] as const;
  const objects = new Set(entries.map(objectKey)).size;
  return foldedSentences[oldest.operation]?.({ contexts, objects }) ?? [];
}
