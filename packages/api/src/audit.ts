/** The history of everything, for whoever has to answer for it: searched, exported, and how far it is signed. */
import { Type, type TSchema } from 'typebox';
import { HistoryEntry } from './history.ts';
import { defineOperations } from './operation.ts';
import { needs } from './permission.ts';
import * as v from './values.ts';

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

export const AuditEntry = v.resource('AuditEntry', 'A change, as it was recorded, with what it is about by name.', {
  ...HistoryEntry.properties,
  chain: v.closed({
    kind: v.oneOf(['experiment', 'subject', 'cohort', 'users', 'roles', 'workflows', 'settings']),
    id: v.nullable({ ...v.Id, description: 'Of the experiment, subject or cohort. Null: there is one chain for all.' }),
  }),
  actor: v.closed({
    ...actor.properties,
    name: Type.String({ description: 'The name of the user, or of the callback. Empty: neither.' }),
  }),
  object: v.closed({
    ...object.properties,
    label: v.nullable(
      Type.String({ description: 'Its name today; of what belongs to an experiment, the name of that experiment.' }),
    ),
    uri: v.nullable(v.Uri),
    web_uri: v.nullable(v.WebUri),
  }),
});

export const ShownCheckpoint = v.resource('Checkpoint', 'How far the history was signed, and by which key.', {
  number: { ...v.Id, description: 'From 1 and without gaps.' },
  at: v.Time,
  key_id: Type.String({ description: 'The SHA-256 of the public key; hexadecimal.' }),
  hash: Type.String({ description: 'Binds it to the one before it; hexadecimal.' }),
});

const Text = v.nullable(Type.String());

const ExportedCheckpoint = v.closed({
  kind: Type.Literal('checkpoint'),
  ...ShownCheckpoint.properties,
  heads: Type.String({ description: 'What was signed, as this very text.' }),
  signature: Type.String(),
});

const ExportedEntry = v.closed({
  kind: Type.Literal('entry'),
  id: v.Id,
  chain: Type.String(),
  chain_id: Type.Integer({ minimum: 0 }),
  sequence: Type.Integer({ minimum: 1 }),
  at: v.Time,
  actor_kind: Type.String(),
  actor_id: v.nullable(v.Id),
  request_id: Text,
  operation: Type.String(),
  object_kind: Type.String(),
  object_id: v.Id,
  before: Text,
  after: Text,
  reason: Text,
  person: Text,
  person_id: v.nullable(v.Id),
  values_hash: Text,
  hash: Type.String(),
  key: v.nullable(
    Type.String({ description: 'Of the person, to verify the values with; null where it was destroyed.' }),
  ),
  values: v.nullable(v.closed({ before: Text, after: Text, reason: Text })),
});

/** What `milepost verify` reads: chain/export-lines.ts in the server. */
const ExportLine = Type.Union([
  v.closed({ kind: Type.Literal('history'), form: Type.Literal(1) }),
  ExportedCheckpoint,
  ExportedEntry,
  v.closed({
    kind: Type.Literal('end'),
    checkpoints: Type.Integer({ minimum: 0 }),
    entries: Type.Integer({ minimum: 0 }),
  }),
]);

const only = <S extends TSchema>(schema: S, what: string) =>
  Type.Optional({ ...schema, description: `Only changes ${what}.` });

const before = (what: string) =>
  Type.Optional({ ...v.Id, description: `Only ${what}: the key of the next page, as \`Link\` names it.` });

export const auditOperations = defineOperations({
  listAudit: {
    method: 'GET',
    path: '/audit',
    summary: 'Search everything that was changed',
    description:
      'Every change that was recorded, the newest first. A page looks at 10,000 entries at most, of the experiment, subject, ' +
      'cohort, object or person that is named, or of all: it may be short, or even empty, and still name a next one, which ' +
      'goes on where it stopped. The end is where there is no `Link`.',
    access: needs('audit_read'),
    newestFirst: true,
    query: v.closed({
      actor: only(v.Id, 'by this user'),
      object_kind: Type.Optional(v.oneOf(auditedKinds, { description: 'Only changes of objects of this kind.' })),
      object_id: only(v.Id, 'of this object; needs `object_kind`'),
      operation: only(Type.String({ minLength: 1, maxLength: 100 }), 'by this operation or rule'),
      experiment_id: only(v.Id, 'of this experiment, its actions, executions, notes and scans'),
      subject_id: only(v.Id, 'of this subject'),
      cohort_id: only(v.Id, 'of this cohort'),
      from: only(v.Time, 'at this moment or later'),
      to: only(v.Time, 'before this moment'),
      before: before('entries behind the one with this id'),
      limit: v.screenLimit(100),
    }),
    response: v.closed({
      entries: Type.Array(AuditEntry),
      next: v.nullable({
        ...v.Id,
        description: '`before` of the next page, as `Link` has it. Null: this is the last.',
      }),
    }),
    statuses: { 200: 'The changes. Of what is not there, there are none.' },
    example: {
      response: {
        entries: [
          {
            id: 90_211,
            sequence: 4,
            at: '2026-02-16T10:51:12.400Z',
            actor: { kind: 'user', id: 5, name: 'J. Jansen' },
            request_id: '0b7f2c1e-6a52-4a0f-9f4e-2f1d7a0c9b11',
            operation: 'setExperimentState',
            object: {
              kind: 'experiment',
              id: 112,
              label: 'MC-0041-baseline',
              uri: '/api/v2/experiments/112',
              web_uri: 'https://milepost.example.org/experiments/112',
            },
            before: { state: 'arrived' },
            after: { state: 'processed', state_id: 4, transition_id: 9, action_id: 530 },
            reason: 'Second series is good',
            hash: '4f1c0d4c1b0f7d1e0f6a5b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e',
            erased: false,
            chain: { kind: 'experiment', id: 112 },
          },
        ],
        next: null,
      },
    },
  },
  listCheckpoints: {
    method: 'GET',
    path: '/audit/checkpoints',
    summary: 'Read how far the history is signed',
    description: 'The checkpoints, the newest first. There are none where no worker has a key to sign with.',
    access: needs('audit_read'),
    installationWide: true,
    newestFirst: true,
    query: v.closed({ before: before('checkpoints with a smaller number'), limit: v.screenLimit(100) }),
    response: v.closed({
      checkpoints: Type.Array(ShownCheckpoint),
      unsigned_since: v.nullable({
        ...v.Time,
        description: 'When the first entry was written that none of them has signed. Null: all are signed.',
      }),
    }),
    statuses: { 200: 'The checkpoints.' },
    example: {
      response: {
        checkpoints: [
          {
            number: 4711,
            at: '2026-02-16T10:52:00.013Z',
            key_id: '9b1f0d4c1b0f7d1e0f6a5b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e',
            hash: '4f1c0d4c1b0f7d1e0f6a5b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e',
          },
        ],
        unsigned_since: null,
      },
    },
  },
  exportAudit: {
    method: 'GET',
    path: '/audit/export',
    summary: 'Export the history, to be verified anywhere',
    description:
      'One JSON value on each line: a heading, the checkpoints, every entry chain by chain, and an end by which one sees that ' +
      'nothing was cut off. `milepost verify FILE --public-key KEY` verifies it without a server. It holds personal values and ' +
      'the keys that they are verified with: keep it as you keep the database.',
    access: needs('audit_read'),
    installationWide: true,
    lines: true,
    masked: false,
    response: ExportLine,
    statuses: {
      200: 'The lines.',
      503: 'Too many long lists are being read at once, or the database cannot be reached; `Retry-After` says when to try again.',
    },
    example: { response: { kind: 'end', checkpoints: 4711, entries: 90_211 } },
  },
});
