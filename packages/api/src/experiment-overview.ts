/** One experiment as its page shows it: where it is, what belongs to it and where it can go, in one answer. */
import { Type } from 'typebox';
import { ExperimentRow, rowExample } from './experiment-rows.ts';
import { Note } from './notes.ts';
import { defineOperations } from './operation.ts';
import { signedIn } from './permission.ts';
import { Scantype, scantypeExample } from './scans.ts';
import { OpenExecution, TransitionExplanation } from './state-change.ts';
import * as v from './values.ts';

const OverviewScan = v.closed({ id: v.Id, uri: v.Uri, scantype: Scantype });

const OverviewExternalId = v.closed({ system_name: v.SystemName, url: v.Url, external_id: v.ExternalId });

export const ExperimentOverview = v.resource(
  'ExperimentOverview',
  'An experiment with everything that belongs to it.',
  {
    ...ExperimentRow.properties,
    api_uri: v.ApiUri,
    variable_map: v.JsonObject,
    external_ids: Type.Array(OverviewExternalId, { description: 'How other systems call it, and where they are.' }),
    scans: Type.Array(OverviewScan, { description: 'The first 1,000, ordered by id.' }),
    notes: Type.Array(Note, { description: 'The latest 100, the newest first.' }),
    transitions: Type.Array(TransitionExplanation, {
      description: 'Each way out of its state: whether you could take it now and, if not, why not.',
    }),
    open_executions: Type.Array(OpenExecution),
  },
);

export const experimentOverviewOperations = defineOperations({
  getExperimentOverview: {
    method: 'GET',
    path: '/experiments/{id}/overview',
    summary: 'Read an experiment with everything that belongs to it',
    description:
      'What a page about one experiment shows: where it is, what is wrong, the runs of its latest action, the ways on with ' +
      'why they cannot be taken, variables, external ids, scans and notes.',
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
        notes: [],
        transitions: [],
        open_executions: [],
      },
    },
  },
});
