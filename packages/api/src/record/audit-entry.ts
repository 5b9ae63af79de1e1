/** The entries of the audit log, and what readers need to understand them. */
import { Type } from 'typebox';
import { changeKinds } from './change-kinds.ts';
import { HistoryEntry } from './history.ts';
import * as v from '../values.ts';

export const auditedKinds = [
  'experiment',
  'action',
  'callback_execution',
  'note',
  'scan',
  'subject',
  'cohort',
  'workflow',
  'callback',
  'user',
  'role',
  'external_system',
  'scantype',
] as const;

const { actor, object } = HistoryEntry.properties;

export const AuditEntry = v.resource('AuditEntry', 'The permanent record of a change, with names.', {
  ...HistoryEntry.properties,
  chain: v.closed({
    kind: v.oneOf(['experiment', 'subject', 'cohort', 'users', 'roles', 'workflows', 'settings']),
    id: v.nullable({ ...v.Id, description: 'The id of the experiment, subject or cohort. Null for the other chains.' }),
  }),
  actor: v.closed({
    ...actor.properties,
    name: Type.String({ description: 'The name of the user or the callback. Empty for other kinds.' }),
    is_service_account: Type.Boolean({ description: 'Whether the user can sign in with API tokens only.' }),
  }),
  kind: v.oneOf(changeKinds, {
    description:
      'What kind of change it is. A move from a state in which users decide is a `decision`. A `run` is a change by the engine ' +
      'or a worker that moves no experiment.',
  }),
  object: v.closed({
    ...object.properties,
    label: v.nullable(
      Type.String({ description: 'The current label of the object, or of the experiment it belongs to.' }),
    ),
    uri: v.nullable(v.Uri),
    web_uri: v.nullable(v.WebUri),
  }),
});

/** What an id in an entry means, for readers. */
export const AuditName = v.resource('AuditName', 'The current name of an object to which entries refer by its id.', {
  kind: v.oneOf([
    'user',
    'cohort',
    'subject',
    'experiment',
    'scantype',
    'transition',
    'callback_execution',
    'bulk_operation',
    'import',
  ]),
  id: v.Id,
  label: Type.String({
    description:
      'The label or name. For an execution, its callback. For a bulk operation, its `kind`. For an import, its file. For a ' +
      'transition, the label of its source state.',
  }),
  state: v.nullable(
    v.closed(
      { id: v.Id, label: Type.String() },
      { description: 'The source state of a transition, or the state of an imported experiment.' },
    ),
  ),
  cohort_id: v.nullable({ ...v.Id, description: 'The cohort of an import.' }),
  target: v.nullable(
    Type.String({ description: 'The label of the state to which a bulk operation moves experiments.' }),
  ),
  experiments: v.nullable(
    Type.Integer({ minimum: 0, description: 'How many experiments the bulk operation changed or the import created.' }),
  ),
  reason: Type.String({ description: 'The reason for the bulk operation. Empty for other kinds.' }),
});

const DayCount = v.closed({
  count: Type.Integer({ minimum: 0, maximum: 1000 }),
  is_exact: Type.Boolean({ description: 'False if there can be more, because the day was not searched to its end.' }),
});

export const AuditDay = v.resource('AuditDay', 'How many entries a day has.', {
  day: Type.String({ format: 'date' }),
  entries: { ...DayCount, description: 'Those that match the filters.' },
  hidden: { ...DayCount, description: 'Those that match the other filters, but are not by people.' },
});
