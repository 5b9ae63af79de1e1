/** How an experiment is shown (specification, section 2, Experiment). */
import type { Experiment } from '@milepost/api';
import type { Static } from 'typebox';
import type { Call } from '../http/call.ts';
import { present } from '../http/field-mask.ts';
import { readVariables, type ExperimentRow } from '../store/experiments.ts';
import { experimentIds, readSystemTexts } from '../store/system-texts.ts';

export function showExperiment(
  { database, links, fields }: Call,
  row: ExperimentRow,
): Promise<Static<typeof Experiment>> {
  return present(fields, {
    id: row.id,
    uri: links.uri('experiments', row.id),
    api_uri: links.apiUri('experiments', row.id),
    web_uri: links.webUri('experiments', row.id),
    label: row.label,
    scandate: row.scandate,
    state: links.ref('states', { id: row.state_id, label: row.state_label }),
    subject: links.ref('subjects', { id: row.subject_id, label: row.subject_label }),
    external_ids: () => readSystemTexts(database.db, experimentIds, row.id),
    variable_map: () => readVariables(database.db, row.id),
  });
}
