/** The audit log, beyond the specification: search, export and verify the whole history. */
import { Type, type TSchema } from 'typebox';
import { AuditDay, auditedKinds, AuditEntry, AuditName } from './audit-entry.ts';
import { changeKinds } from './change-kinds.ts';
import { ExportLine, ShownCheckpoint, Verification } from './exported-history.ts';
import { defineOperations } from '../operation.ts';
import { needs } from '../permission.ts';
import * as v from '../values.ts';

const verification = {
  id: 12,
  status: 'finished',
  requested_at: '2026-02-16T10:52:10.000Z',
  requested_by: { id: 5, name: 'J. Jansen' },
  finished_at: '2026-02-16T10:54:31.120Z',
  entries: 1_204_118,
  checkpoints: 4711,
  fault: null,
  failure: null,
} as const;

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
      subject_id: only(v.Id, 'to this subject and its experiments'),
      cohort_id: only(v.Id, 'to this cohort'),
      kind: Type.Optional(v.oneOf(changeKinds, { description: 'Only changes of this kind.' })),
      by: Type.Optional(
        v.oneOf(['people', 'programs'], {
          description: 'Only changes by people, or only changes by service accounts, callbacks and the engine.',
        }),
      ),
      sign_ins: Type.Optional(
        Type.Boolean({ description: 'Whether to return sign-ins and sign-outs. Default: true.' }),
      ),
      parts: Type.Optional(
        Type.Boolean({
          description:
            'Whether to return entries that are part of another change: the experiments of a bulk operation, a withdrawal, an ' +
            'erasure or a workflow import, the lines of an import, and actions that end without an incident. If another filter ' +
            'can leave out that change, its parts are returned anyway. Default: true.',
        }),
      ),
      from: only(v.Time, 'at this time or later'),
      to: only(v.Time, 'before this time'),
      before: before('entries with a smaller id'),
      limit: v.screenLimit(100),
      time_zone: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'Returns `days`, which begin at midnight in this time zone, such as `Europe/Amsterdam`.',
        }),
      ),
    }),
    response: v.closed({
      entries: Type.Array(AuditEntry),
      names: Type.Array(AuditName, { description: 'The objects to which the entries refer by an id.' }),
      days: Type.Array(AuditDay, {
        description: 'The latest 14 days of the entries, without days before them. Empty without `time_zone`.',
      }),
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
            actor: { kind: 'user', id: 5, name: 'J. Jansen', is_service_account: false },
            kind: 'decision',
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
        names: [
          {
            kind: 'transition',
            id: 9,
            label: 'arrived',
            state: { id: 3, label: 'arrived' },
            cohort_id: null,
            target: null,
            experiments: null,
            reason: '',
          },
        ],
        days: [
          {
            day: '2026-02-16',
            entries: { count: 1, is_exact: true },
            hidden: { count: 38, is_exact: true },
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
      verification: {
        ...v.nullable(Verification),
        description: 'The one that has not finished, or else the last one.',
      },
      last_result: { ...v.nullable(Verification), description: 'The last one that ended with a result.' },
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
        verification,
        last_result: verification,
      },
    },
  },
  verifyHistory: {
    method: 'POST',
    path: '/audit/verifications',
    summary: 'Verify the history',
    description:
      'Requests a check of all hashes and signatures. A worker starts it within seconds and stores the result, which ' +
      '`GET /audit/checkpoints` returns. The worker trusts its own database and key, so verify an export on another computer ' +
      'for proof. If a verification has not finished, it is returned.',
    access: needs('audit_read'),
    installationWide: true,
    response: Verification,
    statuses: { 200: 'The verification.' },
    example: { response: verification },
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
