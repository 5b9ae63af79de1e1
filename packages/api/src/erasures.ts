/** Subjects who withdraw, and, asked for and confirmed, the erasure of one who has (docs/decisions/0027). */
import { Type } from 'typebox';
import { defineOperations } from './operation.ts';
import { needs, signedIn } from './permission.ts';
import { Subject, subjectExample } from './subjects.ts';
import * as v from './values.ts';

const Person = v.closed({ id: v.Id, name: Type.String({ description: 'Their name, or else their username.' }) });

const Reason = Type.String({
  minLength: 1,
  maxLength: 10_000,
  pattern: '\\S',
  'x-wanted': 'must have something in it',
  description: 'Kept in the history, beside the chain, until the subject is erased.',
});

export const Erasure = v.resource(
  'Erasure',
  'That the erasure of a subject was asked for and, once it is confirmed, the certificate of it.',
  {
    id: v.Id,
    subject_id: v.Id,
    requested_by: Person,
    requested_at: v.Time,
    confirm_until: Type.String({ format: 'date-time', description: 'Afterwards it has to be asked for anew.' }),
    erased_by: v.nullable(Person),
    erased_at: v.nullable(v.Time),
    destroyed: v.mapOf(Type.Integer({ minimum: 0 }), {
      description: 'By table, how many rows were deleted or emptied.',
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
        { description: 'The entry of the history that says so, in the chain of the subject.' },
      ),
    ),
  },
);

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
      'What runs or waits for its experiments ends, and they move no more: not by themselves and not by hand. It is out of ' +
      'counts and of what needs attention, and stays in lists, shown as withdrawn. There is no way back. Once more changes nothing.',
    access: needs('sample_update'),
    version: 'held',
    params: v.ById,
    body: v.closed({ reason: Reason, date: v.CalendarDate }),
    response: Subject,
    statuses: { 200: 'The subject, withdrawn.', 404: 'No subject has this id.', 409: 'The subject was erased.' },
    example: {
      body: { reason: 'Does not want to come any more', date: '2026-03-01' },
      response: { ...subjectExample, withdrawn: { date: '2026-03-01', erased_at: null } },
    },
  },
  requestErasure: {
    method: 'POST',
    path: '/subjects/{id}/erasure',
    summary: 'Ask for the erasure of a subject',
    description:
      'The first of two steps, for a subject who has withdrawn. Nothing is destroyed yet. It can be confirmed within 24 hours; ' +
      'meanwhile asking once more answers the same request.',
    access: needs('sample_delete'),
    params: v.ById,
    body: v.closed({ reason: Reason }),
    response: Erasure,
    statuses: {
      200: 'It was asked for already.',
      201: 'It is asked for.',
      404: 'No subject has this id.',
      409: 'The subject has not withdrawn, or was erased.',
    },
    example: { body: { reason: 'Asked for by letter' }, response: requested },
  },
  eraseSubject: {
    method: 'POST',
    path: '/subjects/{id}/erasure/confirm',
    summary: 'Confirm the erasure of a subject',
    description:
      'The second step, with the label of the subject typed again. Destroys everything that says something of the subject, ' +
      'for good; ids, states, statuses and times stay. Answers the certificate, also if it was confirmed before.',
    access: needs('sample_delete'),
    // A kept key would come with a hash over the label, on which one could try guesses.
    repeats: 'anew',
    params: v.ById,
    body: v.closed({ erasure_id: v.Id, label: v.Label }),
    response: Erasure,
    statuses: {
      200: 'The certificate.',
      404: 'No subject has this id.',
      409: 'This erasure was not asked for, or not within the last 24 hours.',
    },
    example: { body: { erasure_id: 3, label: 'MC-0041' }, response: certificate },
  },
  getErasure: {
    method: 'GET',
    path: '/subjects/{id}/erasure',
    summary: 'Read the erasure of a subject',
    description: 'The certificate, or else the latest request.',
    access: signedIn,
    params: v.ById,
    response: Erasure,
    statuses: { 200: 'The erasure.', 404: 'No subject has this id, or its erasure was never asked for.' },
    example: { response: certificate },
  },
});
