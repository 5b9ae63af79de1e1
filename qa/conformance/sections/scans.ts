/** Scans of the experiment that the section on subjects created. The configuration import created the scan type. */
import { unknownId, notFound, type Step } from '../step.ts';

const scantypes: Step[] = [
  {
    call: 'GET /scantypes',
    status: 200,
    save: { scantype: 'scantypes.0.id' },
    shows: { 'scantypes.0.protocol': 'T1' },
  },
  { call: 'GET /scantypes/{id}', params: { id: '$scantype' }, status: 200, shows: { modality: 'MRI' } },
  notFound('GET /scantypes/{id}', { params: { id: unknownId } }),
];

const resource: Step[] = [
  {
    call: 'POST /scans',
    body: { experiment_id: '$experiment', scantype_id: '$scantype' },
    status: 201,
    save: { scan: 'id' },
    shows: { 'experiment.label': 'visit-1', 'scantype.protocol': 'T1' },
  },
  { call: 'POST /scans', body: { experiment: 'visit-1', scantype_protocol: 'T1' }, status: 201 },
  { call: 'GET /scans', status: 200, shows: { 'scans.length': 2 } },
  { call: 'GET /scans/{id}', params: { id: '$scan' }, status: 200, shows: { 'scantype.modality': 'MRI' } },
  notFound('GET /scans/{id}', { params: { id: unknownId } }),
];

export const scans: Step[] = [...scantypes, ...resource];
