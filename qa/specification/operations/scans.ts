/** Section 4, "Scans and scan types". */
import { missing, unknownId, type Operation } from '../operation.ts';
import { read } from '../factories.ts';
import type { Study } from '../study.ts';

async function scantypeId({ send, protocol }: Study): Promise<number> {
  const { scantypes = [] } = await read(send, 'GET /scantypes');
  return scantypes.find((scantype) => scantype['protocol'] === protocol)?.id ?? 0;
}

const newScan = async (study: Study) => ({
  body: { experiment_id: study.run.experiment.id, scantype_id: await scantypeId(study) },
});

export const scans: Operation[] = [
  {
    operation: 'POST /scans',
    /** Not shown by the specification. */
    request: { experiment_id: 'integer', scantype_id: 'integer' },
    response: 'Scan',
    statuses: [200, 201],
    valid: async (study) => ({ status: 201, ...(await newScan(study)) }),
    required: ['experiment_id', 'scantype_id'],
    values: {
      experiment_id: [({ run }: Study) => run.experiment.id, async (study: Study) => (await study.newExperiment()).id],
      scantype_id: [scantypeId, scantypeId],
    },
    alsoTakes: { experiment_id: 'string', scantype_id: 'string' },
    shownAs: { experiment_id: 'experiment.id', scantype_id: 'scantype.id' },
    calls: [
      missing('experiment', { body: { experiment_id: unknownId } }),
      missing('scan type', { body: { scantype_id: unknownId } }),
    ],
    unreachable: { 200: '0004' },
  },
  {
    operation: 'GET /scans',
    response: { scans: ['Scan'] },
    statuses: [200],
    valid: async (study) => {
      await read(study.send, 'POST /scans', await newScan(study));
      return {};
    },
  },
  {
    operation: 'GET /scans/{id}',
    response: 'Scan',
    statuses: [200, 404],
    valid: async (study) => {
      await read(study.send, 'POST /scans', await newScan(study));
      const { scans: all = [] } = await read(study.send, 'GET /scans');
      return { path: { id: all.at(-1)?.id ?? 0 } };
    },
    calls: [missing('scan', { path: { id: unknownId } })],
  },
  {
    operation: 'GET /scantypes',
    response: { scantypes: ['Scantype'] },
    statuses: [200],
    valid: () => ({}),
  },
  {
    operation: 'GET /scantypes/{id}',
    response: 'Scantype',
    statuses: [200, 404],
    valid: async (study) => ({ path: { id: await scantypeId(study) } }),
    calls: [missing('scan type', { path: { id: unknownId } })],
  },
];
