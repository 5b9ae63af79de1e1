/** Scans and scan types (specification, section 4, Scans and scan types). */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { needs, signedIn } from '../permission.ts';
import * as v from '../values.ts';

export const Scantype = v.resource('Scantype', 'A kind of scan, identified by its protocol.', {
  id: v.Id,
  modality: Type.String({ maxLength: 255, description: 'For example MR. Can be empty.' }),
  protocol: v.Label,
  uri: v.Uri,
});

export const Scan = v.resource('Scan', 'One acquisition of an experiment, with a scan type.', {
  id: v.Id,
  uri: v.Uri,
  experiment: v.Ref,
  scantype: Scantype,
});

const named = v.optional(v.Reference);

const NewScan = v.closed(
  {
    experiment_id: named,
    experiment: named,
    scantype_id: named,
    scantype_protocol: v.optional(v.Label),
    scantype: named,
  },
  { allOf: [v.eitherOf('experiment_id', 'experiment'), v.eitherOf('scantype_id', 'scantype_protocol', 'scantype')] },
);

export const scantypeExample = { id: 9, modality: 'MR', protocol: 'T1w', uri: '/api/v2/scantypes/9' };
const scanExample = {
  id: 203,
  uri: '/api/v2/scans/203',
  experiment: { id: 112, label: 'MC-0041-baseline', uri: '/api/v2/experiments/112' },
  scantype: scantypeExample,
};

export const scanOperations = defineOperations({
  createScan: {
    method: 'POST',
    path: '/scans',
    summary: 'Add a scan to an experiment',
    description:
      '`experiment` is another name for `experiment_id`, and `scantype` for `scantype_id`. Each accepts an id, or text: a ' +
      'label or protocol, or else a URI, or else the digits of an id. `scantype_protocol` is exactly the protocol of the ' +
      'scan type. If several fields refer to the same object, they must agree.',
    access: needs('sample_add'),
    version: 'shown',
    body: NewScan,
    response: Scan,
    statuses: {
      201: 'The scan was added.',
      404: 'The experiment or the scan type does not exist.',
      409: 'More than one experiment or scan type matches the text.',
    },
    example: { body: { experiment_id: 112, scantype_protocol: 'T1w' }, response: scanExample },
  },
  listScans: {
    method: 'GET',
    path: '/scans',
    summary: 'List scans',
    description: 'The scans of all experiments, ordered by id.',
    access: signedIn,
    query: v.Page,
    response: v.listOf('scans', Scan),
    statuses: { 200: 'The scans.' },
    example: { response: { scans: [scanExample] } },
  },
  getScan: {
    method: 'GET',
    path: '/scans/{id}',
    summary: 'Read a scan',
    description: 'Includes its experiment and scan type.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: Scan,
    statuses: { 200: 'The scan.', 404: 'No scan has this id.' },
    example: { response: scanExample },
  },
  listScantypes: {
    method: 'GET',
    path: '/scantypes',
    summary: 'List scan types',
    description: 'All scan types, ordered by id. To add scan types, import a configuration.',
    access: signedIn,
    query: v.Page,
    response: v.listOf('scantypes', Scantype),
    statuses: { 200: 'The scan types.' },
    example: { response: { scantypes: [scantypeExample] } },
  },
  getScantype: {
    method: 'GET',
    path: '/scantypes/{id}',
    summary: 'Read a scan type',
    description: 'Returns its modality and protocol.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: Scantype,
    statuses: { 200: 'The scan type.', 404: 'No scan type has this id.' },
    example: { response: scantypeExample },
  },
});
