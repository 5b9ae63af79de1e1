/** Sentences about experiments, subjects, cohorts, their values, bulk operations and imports. */
import { paths } from '../../paths.ts';
import {
  changeOf,
  changes,
  counted,
  enteredState,
  fieldWords,
  leftState,
  link,
  named,
  object,
  valueText,
  arrow,
  type Context,
  type Piece,
  type Sentence,
} from './sentence.ts';

export const moved: Sentence = (context) => [
  'Moved ',
  object(context),
  ' from ',
  leftState(context),
  ' to ',
  enteredState(context),
];

const retried: Sentence = (context) => ['Retried ', object(context), ' in ', enteredState(context)];

const corrected: Sentence = (context) => ['Corrected ', ...changes(context, [object(context)])];

const evaluated: Sentence = (context) =>
  'state_id' in context.after
    ? ['Re-evaluated ', object(context), ': moved from ', leftState(context), ' to ', enteredState(context)]
    : ['Re-evaluated ', object(context), outcomeOf(context)];

/** What the end of an action led to. `incidents` counts those of several entries. */
export const outcomeOf = ({ after }: Context, incidents = 'an incident'): string => {
  if (typeof after['incident'] === 'string') return `: opened ${incidents} (${fieldWords(after['incident'])})`;
  return after['success'] === false ? ': not successful' : '';
};

function assigned(context: Context): Piece[] {
  return ['Assigned ', object(context), ': ', ...changeOf(context, 'assignee_id')];
}

function snoozed(context: Context): Piece[] {
  const { after } = context;
  const until = after['snoozed_until'];
  if (typeof until !== 'string') return ['Ended the snooze of ', object(context)];
  const note = after['snooze_note'];
  return [
    'Snoozed ',
    object(context),
    ' until ',
    { as: 'time', at: until },
    ...(typeof note === 'string' && note !== '' ? [' ', { as: 'quote', text: note } as const] : []),
  ];
}

const values = (side: unknown) => (side ?? {}) as Record<string, unknown>;

function variables(context: Context): Piece[] {
  const { before, after, entry } = context;
  const names = Object.keys(values(after['variables']));
  if (names.length === 0) return ['Set variables of ', object(context), ...erasedEnd(entry.erased)];
  const parts = names.flatMap((name, index): Piece[] => [
    `${index === 0 ? '' : ', '}${name} `,
    { as: 'old', text: valueText(context, '', values(before['variables'])[name]) },
    arrow,
    { as: 'new', text: valueText(context, '', values(after['variables'])[name]) },
  ]);
  return ['Set ', names.length === 1 ? 'a variable' : 'variables', ' of ', object(context), ': ', ...parts];
}

const erasedEnd = (erased: boolean): Piece[] => (erased ? [': ', { as: 'erased' }] : []);

function noted(context: Context): Piece[] {
  const { text } = context.after;
  const quoted: Piece[] = typeof text === 'string' ? [': ', { as: 'quote', text }] : erasedEnd(context.entry.erased);
  return ['Added a note to ', object(context), ...quoted];
}

/** External IDs or URLs are recorded as a whole before and after. */
const external =
  (list: 'external_ids' | 'external_urls', one: string): Sentence =>
  (context) => {
    const [before, after] = [context.before, context.after].map((side) => (side[list] ?? {}) as Record<string, string>);
    const systems = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
      (name) => before?.[name] !== after?.[name],
    );
    if (systems.length === 0) return [`Changed ${one}s of `, object(context), ...erasedEnd(context.entry.erased)];
    const isGone = systems.every((name) => after?.[name] === undefined);
    const parts = systems.flatMap((name, index): Piece[] => [
      `${index === 0 ? '' : ', '}${name} `,
      ...oneExternal(before?.[name], after?.[name]),
    ]);
    const noun = systems.length === 1 ? one : `${one}s`;
    return [isGone ? 'Removed ' : 'Set ', `${noun} of `, object(context), ': ', ...parts];
  };

const oneExternal = (old: string | undefined, value: string | undefined): Piece[] => [
  ...(old === undefined ? [] : [{ as: 'old', text: old } as const]),
  ...(old === undefined || value === undefined ? [] : [arrow]),
  ...(value === undefined ? [] : [{ as: 'new', text: value } as const]),
];

const externalId = external('external_ids', 'external ID');
const externalUrl = external('external_urls', 'external URL');

const created =
  (kind: string): Sentence =>
  (context) => [`Created ${kind} `, object(context)];

const withdrew: Sentence = (context) =>
  context.entry.object.kind === 'subject'
    ? ['Withdrew subject ', object(context)]
    : ['Withdrew ', object(context), ' with its subject'];

const erased: Sentence = (context) =>
  context.entry.object.kind === 'subject'
    ? ['Erased subject ', object(context)]
    : ['Erased ', object(context), ' with its subject'];

function bulkLink({ before, after }: Context, text: string): Piece {
  const id = after['bulk_operation_id'] ?? before['bulk_operation_id'];
  return link(text, typeof id === 'number' ? paths.bulkOperation(id) : undefined);
}

const bulkVerbs: Readonly<Record<string, readonly [done: string, plan: string]>> = {
  move: ['Moved', 'move experiments'],
  retry: ['Retried', 'retry experiments'],
  evaluate: ['Re-evaluated', 're-evaluate experiments'],
  place: ['Corrected the state of', 'correct the state of experiments'],
  set_variables: ['Set variables of', 'set variables of experiments'],
  assign: ['Assigned', 'assign experiments'],
  note: ['Added a note to', 'add notes to experiments'],
};

function appliedBulk(context: Context): Piece[] {
  const bulk = context.nameOf('bulk_operation', context.after['bulk_operation_id']);
  const verb = bulkVerbs[bulk?.label ?? '']?.[0];
  if (!bulk || verb === undefined) return ['Started a ', bulkLink(context, 'bulk operation')];
  const target: Piece[] = bulk.target === null ? [] : [' to ', { as: 'new', text: bulk.target }];
  return [
    `${verb} ${counted(bulk.experiments ?? 0, 'experiment')}`,
    ...target,
    ' (',
    bulkLink(context, 'bulk operation'),
    ')',
    ...(bulk.reason === '' ? [] : [' ', { as: 'quote', text: bulk.reason } as const]),
  ];
}

function createdBulk(context: Context): Piece[] {
  const plan = bulkVerbs[String(context.after['kind'])]?.[1];
  return ['Checked a ', bulkLink(context, 'bulk operation'), plan === undefined ? '' : ` to ${plan}`];
}

const bulk =
  (verb: string): Sentence =>
  (context) => [`${verb} a `, bulkLink(context, 'bulk operation')];

function importLink({ before, after, nameOf }: Context): Piece {
  const id = after['import_id'] ?? before['import_id'];
  if (typeof id !== 'number') return 'a file';
  return link(nameOf('import', id)?.label ?? `import ${id}`, paths.importPage(id));
}

const intoCohort = (context: Context, word: string): Piece[] => {
  const { after, nameOf } = context;
  const id = after['cohort_id'] ?? nameOf('import', after['import_id'])?.cohort_id;
  return id === undefined || id === null ? [] : [` ${word} cohort `, named(context, 'cohort', id)];
};

function appliedImport(context: Context): Piece[] {
  const found = context.nameOf('import', context.after['import_id']);
  if (!found) return ['Started ', importLink(context)];
  const experiments = counted(found.experiments ?? 0, 'experiment');
  return [`Imported ${experiments}`, ...intoCohort(context, 'into'), ' from ', importLink(context)];
}

export const studySentences: Readonly<Record<string, Sentence>> = {
  setExperimentState: moved,
  retryExperiment: retried,
  retryCallbackExecution: (context) => ['Retried a run of ', object(context), ' in ', enteredState(context)],
  evaluateExperiment: evaluated,
  placeExperiment: (context) => [
    'Corrected state of ',
    object(context),
    ': ',
    leftState(context),
    arrow,
    enteredState(context),
  ],
  assignExperiment: assigned,
  snoozeExperiment: snoozed,
  setExperimentVariable: variables,
  updateExperiment: corrected,
  updateSubject: corrected,
  updateAction: (context) => ['Corrected an action of ', object(context), ': ', ...fieldChanges(context)],
  updateCohort: (context) => ['Changed ', ...changes(context, ['cohort ', object(context)])],
  addNote: noted,
  createCohort: created('cohort'),
  createSubject: (context) => ['Created subject ', object(context), ...intoCohort(context, 'in')],
  createExperiment: (context) => ['Created experiment ', object(context), ' in ', enteredState(context)],
  createScan: (context) => [
    'Added a scan to ',
    object(context),
    `: ${context.nameOf('scantype', context.after['scantype_id'])?.label ?? 'erased'}`,
  ],
  withdrawSubject: withdrew,
  requestErasure: (context) => ['Requested the erasure of subject ', object(context)],
  eraseSubject: erased,
  addCohortExternalUrls: externalUrl,
  setCohortExternalUrl: externalUrl,
  deleteCohortExternalUrl: externalUrl,
  addSubjectExternalIds: externalId,
  setSubjectExternalId: externalId,
  deleteSubjectExternalId: externalId,
  createExternalSubjectLink: externalId,
  replaceExternalSubjectLink: externalId,
  addExperimentExternalIds: externalId,
  setExperimentExternalId: externalId,
  deleteExperimentExternalId: externalId,
  createExternalExperimentLink: externalId,
  replaceExternalExperimentLink: externalId,
  createBulkOperation: createdBulk,
  applyBulkOperation: appliedBulk,
  pauseBulkOperation: bulk('Paused'),
  resumeBulkOperation: bulk('Resumed'),
  stopBulkOperation: bulk('Stopped'),
  createImport: (context) => ['Uploaded ', importLink(context), ...intoCohort(context, 'for')],
  updateImport: (context) => ['Changed the columns of ', importLink(context)],
  applyImport: appliedImport,
  pauseImport: (context) => ['Paused the import of ', importLink(context)],
  resumeImport: (context) => ['Resumed the import of ', importLink(context)],
  stopImport: (context) => ['Stopped the import of ', importLink(context)],
  saveImportMapping: (context) => ['Saved a column mapping', ...intoCohort(context, 'for')],
  deleteImportMapping: () => ['Deleted a column mapping'],
};

function fieldChanges(context: Context): Piece[] {
  const fields = Object.keys(context.after);
  if (fields.length === 0) return erasedEnd(context.entry.erased).slice(1);
  return fields.flatMap((field, index) => [
    `${index === 0 ? '' : ', '}${fieldWords(field)} `,
    ...changeOf(context, field),
  ]);
}
