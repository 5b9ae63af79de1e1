/** The data of an experiment page in one response. */
import { Type } from 'typebox';
import { ExperimentRow, rowExample } from './experiment-rows.ts';
import { followUpFields } from '../experiments/follow-ups.ts';
import { Note } from '../experiments/notes.ts';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import { Scantype, scantypeExample } from '../study/scans.ts';
import { OpenExecution, TransitionExplanation } from '../experiments/state-change.ts';
import * as v from '../values.ts';

const OverviewScan = v.closed({ id: v.Id, uri: v.Uri, scantype: Scantype });

const OverviewExternalId = v.closed({ system_name: v.SystemName, url: v.Url, external_id: v.ExternalId });

export const ExperimentOverview = v.resource('ExperimentOverview', 'An experiment with all data that belongs to it.', {
  ...ExperimentRow.properties,
  api_uri: v.ApiUri,
  variable_map: v.JsonObject,
  external_ids: Type.Array(OverviewExternalId, { description: 'Its external IDs, with the URLs of the systems.' }),
  scans: Type.Array(OverviewScan, { description: 'The first 1,000, ordered by id.' }),
  ...followUpFields,
  notes: Type.Array(Note, { description: 'The latest 100, newest first.' }),
  transitions: Type.Array(TransitionExplanation, {
    description:
      'The transitions out of its state. Each one shows whether you can take it now and, if not, the reason.',
  }),
  open_executions: Type.Array(OpenExecution),
});

export const experimentOverviewOperations = defineOperations({
  getExperimentOverview: {
    method: 'GET',
    path: '/experiments/{id}/overview',
    summary: 'Read the overview of an experiment',
    description:
      'Returns everything that an experiment page shows: its state, open incidents, the runs of its latest action, the ' +
      'possible transitions, variables, external IDs, scans and notes.',
    access: signedIn,
    params: v.ById,
    response: ExperimentOverview,
    statuses: { 200: 'The experiment.', 404: 'No experiment has this id.' },
    example: {
      response: {
        ...rowExample,
        api_uri: 'https://milepost.example.org/api/v2/experiments/112',
        variable_map: { usable: true },
        external_ids: [{ system_name: 'XNAT', url: 'https://xnat.example.org', external_id: 'XNAT_E00112' }],
        scans: [{ id: 203, uri: '/api/v2/scans/203', scantype: scantypeExample }],
        assignee: null,
        snooze: null,
        notes: [],
        transitions: [],
        open_executions: [],
      },
    },
  },
});
