import type { followUpOperations } from '@milepost/api';
import { found, invalid, missingParts, noSuchId, unknownParameter } from './expectations.ts';
import { none, readsOnly, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.experiment()).id });
const byCohort = async (world: World) => ({ id: (await world.cohort()).id });
const until = '2999-01-01T08:00:00.000Z';
const latest = 'Of two requests at the same time, the later one counts.';

/** What is stored, and how often it was recorded. */
const stored = (id: number, operation: string, row: object) => ({
  query: `select follow_ups.assignee_id, follow_ups.snooze_note, experiments.version,
      (select count(*) from history where operation = $2 and chain = 'experiment' and chain_id = $1) as entries,
      (select count(*) from events where kind = $2 and object_kind = 'experiment' and object_id = $1 and data = '{}') as events
    from follow_ups join experiments on experiments.id = follow_ups.experiment_id where follow_ups.experiment_id = $1`,
  values: [id, operation],
  rows: [{ version: '1', entries: '1', events: '1', ...row }],
});

export const followUpCases: SectionCases<typeof followUpOperations> = {
  assignExperiment: {
    success: {
      'assigns an experiment without changing its version': async (world) => {
        const [{ id }, user] = [await world.experiment(), await world.user('sample_update')];
        return {
          ...found(
            { params: { id }, body: { user_id: user.id } },
            { experiment: { id }, assignee: { id: user.id }, snooze: null },
          ),
          stored: stored(id, 'assignExperiment', { assignee_id: String(user.id), snooze_note: null }),
        };
      },
    },
    validation: {
      'rejects a request without a user': async (world) => invalid({ params: await byId(world), body: {} }, '/user_id'),
    },
    'missing reference': {
      ...missingParts(byId, { id: noSuchId }, { user_id: null }),
      'rejects a user who does not exist': async (world) =>
        invalid({ params: await byId(world), body: { user_id: noSuchId } }, '/user_id'),
    },
    conflict: none(latest),
  },
  snoozeExperiment: {
    success: {
      'snoozes an experiment without changing its version': async (world) => {
        const { id } = await world.experiment();
        const note = 'The site sends it on Thursday.';
        return {
          ...found({ params: { id }, body: { until, note } }, { assignee: null, snooze: { until, note } }),
          stored: stored(id, 'snoozeExperiment', { assignee_id: null, snooze_note: note }),
        };
      },
    },
    validation: {
      'rejects a time that has passed': async (world) =>
        invalid({ params: await byId(world), body: { until: '2020-01-01T08:00:00' } }, '/until'),
      'rejects a note longer than 1,000 characters': async (world) =>
        invalid({ params: await byId(world), body: { until, note: 'x'.repeat(1001) } }, '/note'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }, { until }),
    conflict: none(latest),
  },
  getAssignees: {
    success: {
      'returns the users whose name or username begins with the text': async (world) => {
        const { id, username } = await world.user('sample_update');
        return found({ params: await byCohort(world), query: { q: username.toUpperCase() } }, { users: [{ id }] });
      },
    },
    validation: unknownParameter(byCohort),
    'missing reference': missingParts(byCohort, { id: noSuchId }),
    conflict: readsOnly,
  },
};
