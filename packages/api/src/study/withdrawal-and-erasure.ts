/** Withdrawal and erasure of subjects, beyond the specification (docs/decisions/0027). */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { needs, signedIn } from '../permission.ts';
import { openStatuses } from '../runs/choices.ts';
import { Subject, subjectExample } from './subjects.ts';
import * as v from '../values.ts';

const Reason = Type.String({
  minLength: 1,
  maxLength: 10_000,
  pattern: '\\S',
  'x-wanted': 'must not be blank',
  description: 'Stored in the history until the subject is erased.',
});

export const Erasure = v.resource('Erasure', 'The request to erase a subject and, once confirmed, the certificate.', {
  id: v.Id,
  subject_id: v.Id,
  requested_by: v.UserName,
  requested_at: v.Time,
  confirm_until: Type.String({
    format: 'date-time',
    description: 'After this time you have to request the erasure again.',
  }),
  erased_by: v.nullable(v.UserName),
  erased_at: v.nullable(v.Time),
  destroyed: v.mapOf(Type.Integer({ minimum: 0 }), {
    description: 'For each table, the number of rows that were deleted or emptied.',
  }),
  entry: v.nullable(
    v.closed(
      {
        id: v.Id,
        chain: Type.String(),
        chain_id: v.Id,
        sequence: Type.Integer({ minimum: 1 }),
        hash: Type.String({ description: 'Hexadecimal.' }),
      },
      { description: 'The history entry that records the erasure, in the chain of the subject.' },
    ),
  ),
});

export const Withdrawal = v.resource('Withdrawal', 'The withdrawal of a subject, and what it ends.', {
  subject_id: v.Id,
  withdrawn: v.nullable(
    v.closed({
      date: v.CalendarDate,
      recorded_at: v.nullable(v.Time),
      by: v.nullable(v.UserName),
      reason: v.nullable(Type.String({ description: 'Null after an erasure.' })),
    }),
  ),
  moving: Type.Integer({ minimum: 0, description: 'The number of its experiments that are not in a final state.' }),
  open_runs: Type.Integer({ minimum: 0, description: 'The number of runs that a withdrawal ends.' }),
  runs: Type.Array(
    v.closed({ id: v.Id, uri: v.Uri, callback: v.Label, status: v.oneOf(openStatuses), experiment: v.Ref }),
    {
      description: 'The first 20 of these runs.',
    },
  ),
});

const requested = {
  id: 3,
  subject_id: 41,
  requested_by: { id: 5, name: 'J. Jansen' },
  requested_at: '2026-03-02T09:12:04.310Z',
  confirm_until: '2026-03-03T09:12:04.310Z',
  erased_by: null,
  erased_at: null,
  destroyed: {},
  entry: null,
};

const certificate = {
  ...requested,
  erased_by: { id: 2, name: 'A. de Vries' },
  erased_at: '2026-03-02T09:15:40.001Z',
  destroyed: { experiments: 2, history_values: 31, notes: 4, personal_keys: 1, subjects: 1 },
  entry: {
    id: 90_377,
    chain: 'subject',
    chain_id: 41,
    sequence: 6,
    hash: '0d4c1b0f7d1e0f6a5b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e4f1c',
  },
};

export const erasureOperations = defineOperations({
  withdrawSubject: {
    method: 'POST',
    path: '/subjects/{id}/withdraw',
    summary: 'Withdraw a subject',
    description:
      'Active and waiting runs of its experiments end, and the experiments no longer move. The subject is excluded from ' +
      'counts and from the items that need attention, but stays in lists, marked as withdrawn. You cannot undo a ' +
      'withdrawal. Repeating the request changes nothing.',
    access: needs('sample_update'),
    version: 'checked',
    params: v.ById,
    body: v.closed({ reason: Reason, date: v.CalendarDateInput }),
    response: Subject,
    statuses: { 200: 'The withdrawn subject.', 404: 'No subject has this id.', 409: 'The subject was erased.' },
    example: {
      body: { reason: 'No longer wants to take part', date: '2026-03-01' },
      response: { ...subjectExample, withdrawn: { date: '2026-03-01', erased_at: null } },
    },
  },
  getWithdrawal: {
    method: 'GET',
    path: '/subjects/{id}/withdrawal',
    summary: 'Read the withdrawal of a subject',
    description: 'Who withdrew the subject, when and why. Before a withdrawal: the runs that it would end.',
    access: signedIn,
    params: v.ById,
    response: Withdrawal,
    statuses: { 200: 'The withdrawal.', 404: 'No subject has this id.' },
    example: {
      response: {
        subject_id: 41,
        withdrawn: null,
        moving: 1,
        open_runs: 1,
        runs: [
          {
            id: 871,
            uri: '/api/v2/callback_executions/871',
            callback: 'segment',
            status: 'running',
            experiment: { id: 112, label: 'MC-0041-baseline', uri: '/api/v2/experiments/112' },
          },
        ],
      },
    },
  },
  requestErasure: {
    method: 'POST',
    path: '/subjects/{id}/erasure',
    summary: 'Request the erasure of a subject',
    description:
      'The first of two steps, for a subject who has withdrawn. Nothing is destroyed yet. Confirm the request within 24 ' +
      'hours. Until then, repeating it returns the same request.',
    access: needs('sample_delete'),
    params: v.ById,
    body: v.closed({ reason: Reason }),
    response: Erasure,
    statuses: {
      200: 'The erasure was already requested.',
      201: 'The erasure was requested.',
      404: 'No subject has this id.',
      409: 'The subject has not withdrawn, or was erased.',
    },
    example: { body: { reason: 'Requested by letter' }, response: requested },
  },
  eraseSubject: {
    method: 'POST',
    path: '/subjects/{id}/erasure/confirm',
    summary: 'Confirm the erasure of a subject',
    description:
      'The second step, which requires the label of the subject. It permanently destroys all personal data of the subject. ' +
      'Ids, states, statuses and times are kept. Returns the certificate, even if the erasure was already confirmed.',
    access: needs('sample_delete'),
    // A stored key includes a hash of the body, from which the label could be guessed.
    idempotencyKey: 'ignored',
    params: v.ById,
    body: v.closed({ erasure_id: v.Id, label: v.Label }),
    response: Erasure,
    statuses: {
      200: 'The certificate.',
      404: 'No subject has this id.',
      409: 'The erasure was not requested within the last 24 hours.',
    },
    example: { body: { erasure_id: 3, label: 'MC-0041' }, response: certificate },
  },
  getErasure: {
    method: 'GET',
    path: '/subjects/{id}/erasure',
    summary: 'Read the erasure of a subject',
    description: 'Returns the certificate, or the latest request if there is none.',
    access: signedIn,
    params: v.ById,
    response: Erasure,
    statuses: { 200: 'The erasure.', 404: 'No subject has this id, or its erasure was never requested.' },
    example: { response: certificate },
  },
});
