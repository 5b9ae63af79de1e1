/** The audit log, beyond the specification: search and export the whole history, and list its checkpoints. */
import { Type, type TSchema } from 'typebox';
import { HistoryEntry } from './history.ts';
import { defineOperations } from '../operation.ts';
import { needs } from '../permission.ts';
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

export const ShownCheckpoint = v.resource('Checkpoint', 'A signed point in the history.', {
  number: { ...v.Id, description: 'Starts at 1, without gaps.' },
  at: v.Time,
  key_id: Type.String({ description: 'The SHA-256 hash of the public key. Hexadecimal.' }),
  hash: Type.String({ description: 'Links the checkpoint to the previous one. Hexadecimal.' }),
});

const Text = v.nullable(Type.String());

const ExportedCheckpoint = v.closed({
  kind: Type.Literal('checkpoint'),
  ...ShownCheckpoint.properties,
  heads: Type.String({ description: 'The signed text.' }),
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
    Type.String({ description: 'The key of the person, which verifies the values. Null if it was destroyed.' }),
  ),
  values: v.nullable(v.closed({ before: Text, after: Text, reason: Text })),
});

/** Written by chain/export-lines.ts in the server and read by `milepost verify`. */
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
  Type.Optional({ ...v.Id, description: `Only ${what}. The \`Link\` header has the value for the next page.` });

export const auditOperations = defineOperations({
  listAudit: {
    method: 'GET',
    path: '/audit',
    summary: 'Search the audit log',
    description:
      'Every recorded change, newest first. A page searches at most 10,000 entries, so it can be short or empty even if ' +
      'more pages follow. The last page has no `Link` header.',
    access: needs('audit_read'),
    newestFirst: true,
    query: v.closed({
      actor: only(v.Id, 'by this user'),
      object_kind: Type.Optional(v.oneOf(auditedKinds, { description: 'Only changes to objects of this kind.' })),
      object_id: only(v.Id, 'to this object. Requires `object_kind`'),
      operation: only(Type.String({ minLength: 1, maxLength: 100 }), 'by this operation or rule of the engine'),
      experiment_id: only(v.Id, 'to this experiment and its actions, executions, notes and scans'),
      subject_id: only(v.Id, 'to this subject'),
      cohort_id: only(v.Id, 'to this cohort'),
      from: only(v.Time, 'at this time or later'),
      to: only(v.Time, 'before this time'),
      before: before('entries with a smaller id'),
      limit: v.screenLimit(100),
    }),
    response: v.closed({
      entries: Type.Array(AuditEntry),
      next: v.nullable({
        ...v.Id,
        description: 'The value of `before` for the next page. Null on the last page.',
      }),
    }),
    statuses: {
      200: 'The changes.',
      400: 'The request is invalid, or a filter names an object or an operation that does not exist.',
    },
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
    summary: 'List checkpoints',
    description: 'The signed points in the history, newest first. The list is empty if no worker has a signing key.',
    access: needs('audit_read'),
    installationWide: true,
    newestFirst: true,
    query: v.closed({ before: before('checkpoints with a smaller number'), limit: v.screenLimit(100) }),
    response: v.closed({
      checkpoints: Type.Array(ShownCheckpoint),
      unsigned_since: v.nullable({
        ...v.Time,
        description: 'The time of the first unsigned entry. Null if all entries are signed.',
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
    summary: 'Export the history',
    description:
      'One JSON value per line: a header, the checkpoints, all entries chain by chain, and an end line that shows that the ' +
      'export is complete. `milepost verify FILE --public-key KEY` verifies it without a server. The export contains ' +
      'personal values and their keys, so protect it like the database.',
    access: needs('audit_read'),
    installationWide: true,
    lines: true,
    masked: false,
    response: ExportLine,
    statuses: {
      200: 'The lines.',
      503: 'Too many long lists are being read, or the database is unavailable. `Retry-After` says when to try again.',
    },
    example: { response: { kind: 'end', checkpoints: 4711, entries: 90_211 } },
  },
});
