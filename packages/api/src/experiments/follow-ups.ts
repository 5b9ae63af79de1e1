/** Beyond the specification: assignments and snoozes of experiments. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { needs } from '../permission.ts';
import * as v from '../values.ts';

export const Snooze = v.resource('Snooze', 'Leaves an experiment out of the attention list for some time.', {
  until: v.Time,
  note: { ...Type.String({ maxLength: 1000 }), description: 'Why it can wait.' },
  by: v.UserName,
});

export const followUpFields = {
  assignee: v.nullable({ ...v.UserName, description: 'The user who takes care of the experiment.' }),
  snooze: v.nullable({
    ...Snooze,
    description: 'Null if it has ended. It ends early if the experiment moves or fails again.',
  }),
};

export const FollowUp = v.resource('FollowUp', 'Who takes care of an experiment, and until when it can wait.', {
  experiment: v.Ref,
  ...followUpFields,
});

const experiment = { id: 112, label: 'MC-0041-baseline', uri: '/api/v2/experiments/112' };
const assignee = { id: 5, name: 'Amina Haddad' };
const snooze = {
  until: '2026-02-20T08:00:00.000Z',
  note: 'The site sends the missing series on Thursday.',
  by: assignee,
};

const statuses = { 404: 'No experiment has this id.', 409: 'The subject was erased.' };

export const followUpOperations = defineOperations({
  assignExperiment: {
    method: 'PUT',
    path: '/experiments/{id}/assignee',
    summary: 'Assign an experiment to a user',
    description:
      'The assignment stays when the experiment moves. Null removes it. `/cohorts/{id}/assignees` lists the users whom you can choose.',
    access: needs('sample_update'),
    params: v.ById,
    body: v.closed({ user_id: v.nullable(v.Id) }),
    response: FollowUp,
    statuses: {
      200: 'The experiment is assigned.',
      400: 'The request is invalid, or the user does not exist, is not active or cannot read the cohort.',
      ...statuses,
    },
    example: { body: { user_id: 5 }, response: { experiment, assignee, snooze: null } },
  },
  snoozeExperiment: {
    method: 'PUT',
    path: '/experiments/{id}/snooze',
    summary: 'Snooze an experiment',
    description:
      'Leaves the experiment out of `/attention` until a time. Later incidents and decisions are still listed. Null ends the snooze.',
    access: needs('sample_update'),
    params: v.ById,
    body: v.closed({
      until: v.nullable(v.TimeInput),
      note: v.optional(Type.String({ maxLength: 1000, description: 'Why it can wait.' })),
    }),
    response: FollowUp,
    statuses: {
      200: 'The snooze is set or ended.',
      400: 'The request is invalid, or the time has passed.',
      ...statuses,
    },
    example: {
      body: { until: '2026-02-20T08:00:00Z', note: snooze.note },
      response: { experiment, assignee: null, snooze },
    },
  },
  getAssignees: {
    method: 'GET',
    path: '/cohorts/{id}/assignees',
    summary: 'Read the users who can take care of experiments of a cohort',
    description: 'Active users who can read the cohort, ordered by name. At most 100: use `q` to find others.',
    access: needs('sample_update'),
    params: v.ById,
    query: v.closed({
      q: Type.Optional(Type.String({ maxLength: 255, description: 'The beginning of a name.' })),
    }),
    response: v.closed({ users: Type.Array(v.UserName) }),
    statuses: { 200: 'The users.', 404: 'No cohort has this id.' },
    example: { response: { users: [assignee] } },
  },
});
