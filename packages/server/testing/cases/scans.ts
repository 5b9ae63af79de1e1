import type { scanOperations } from '@milepost/api';
import {
  ambiguous,
  found,
  invalid,
  missing,
  missingParts,
  noSuchId,
  unknownParameter,
  invalidPaging,
} from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { Labelled, World } from './world.ts';

type Scantype = Awaited<ReturnType<World['scantype']>>;

const shownType = (scantype: Scantype) => ({ ...scantype, uri: `/api/v2/scantypes/${scantype.id}` });
const shown = ({ id, label }: Labelled, scantype: Scantype) => ({
  experiment: { id, label, uri: `/api/v2/experiments/${id}` },
  scantype: shownType(scantype),
});

async function scan(world: World) {
  const [experiment, scantype] = [await world.experiment(), await world.scantype()];
  const [row] = await world.sql<{ id: string }>(
    `insert into scans (experiment_id, cohort_id, scantype_id)
     select id, cohort_id, $2 from experiments where id = $1 returning id`,
    [experiment.id, scantype.id],
  );
  const id = Number(row?.id);
  return { id, body: { id, uri: `/api/v2/scans/${id}`, ...shown(experiment, scantype) } };
}
const byId = async (world: World) => ({ id: (await scan(world)).id });
const byScantype = async (world: World) => ({ id: (await world.scantype()).id });

/** Creates two experiments with the same label and returns it. */
async function sharedLabel(world: World): Promise<string> {
  const [{ label }, other] = [await world.experiment(), await world.experiment()];
  await world.sql('update experiments set label = $2 where id = $1', [other.id, label]);
  return label;
}

const created = (experiment: Labelled, scantype: Scantype, body: object) => ({
  request: { body },
  status: 201,
  body: shown(experiment, scantype),
  stored: {
    query: `select scantype_id, scans.cohort_id = experiments.cohort_id as of_its_cohort, experiments.version from scans
      join experiments on experiments.id = experiment_id where experiment_id = $1`,
    values: [experiment.id],
    // Conditions do not read scans, so the version of the experiment does not change.
    rows: [{ scantype_id: String(scantype.id), of_its_cohort: true, version: '1' }],
  },
});

export const scanCases: SectionCases<typeof scanOperations> = {
  createScan: {
    success: {
      'creates a scan by ids': async (world) => {
        const [experiment, scantype] = [await world.experiment(), await world.scantype()];
        return created(experiment, scantype, { experiment_id: experiment.id, scantype_id: scantype.id });
      },
      'creates a scan by label and protocol': async (world) => {
        const [experiment, scantype] = [await world.experiment(), await world.scantype()];
        return created(experiment, scantype, { experiment: experiment.label, scantype_protocol: scantype.protocol });
      },
      'accepts several references to the same objects': async (world) => {
        const [experiment, scantype] = [await world.experiment(), await world.scantype()];
        const { id, protocol } = scantype;
        const names = { scantype_id: String(id), scantype_protocol: protocol, scantype: `/scantypes/${id}` };
        const experiments = { experiment_id: `/api/v2/experiments/${experiment.id}`, experiment: experiment.label };
        return created(experiment, scantype, { ...experiments, ...names });
      },
    },
    validation: {
      'rejects references to different scan types': async (world) => {
        const [experiment, one, other] = [await world.experiment(), await world.scantype(), await world.scantype()];
        const body = { experiment: experiment.id, scantype_id: one.id, scantype: other.protocol };
        return invalid({ body }, '/scantype_id', '/scantype');
      },
      'rejects a reference that is neither a number nor a string': async (world) =>
        invalid({ body: { experiment: true, scantype: (await world.scantype()).id } }, '/experiment'),
    },
    'missing reference': {
      'returns 404 for an unknown experiment': async (world) =>
        missing({ body: { experiment_id: noSuchId, scantype_id: (await world.scantype()).id } }, '/experiment_id'),
      'returns 404 for an unknown protocol': async (world) =>
        missing({ body: { experiment: (await world.experiment()).id, scantype: 'unknown' } }, '/scantype'),
    },
    conflict: {
      'rejects a label that two experiments have': async (world) => {
        const body = { experiment: await sharedLabel(world), scantype: (await world.scantype()).id };
        return ambiguous({ body }, '/experiment', '/experiment');
      },
    },
  },
  listScans: {
    success: {
      'returns a page with one scan': async (world) => {
        const { id, body } = await scan(world);
        return found({ query: { after: id - 1, limit: 1 } }, { scans: [body] });
      },
    },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getScan: {
    success: {
      'returns a scan': async (world) => {
        const { id, body } = await scan(world);
        return found({ params: { id } }, body);
      },
    },
    validation: unknownParameter(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  listScantypes: {
    success: {
      'returns a page with one scan type': async (world) => {
        const scantype = await world.scantype();
        return found({ query: { after: scantype.id - 1, limit: 1 } }, { scantypes: [shownType(scantype)] });
      },
    },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getScantype: {
    success: {
      'returns a scan type': async (world) => {
        const scantype = await world.scantype();
        return found({ params: { id: scantype.id } }, shownType(scantype));
      },
      'returns a scan type without a modality': async (world) => {
        const { id } = await world.scantype();
        await world.sql(`update scantypes set modality = '' where id = $1`, [id]);
        return found({ params: { id } }, { id, modality: '' });
      },
    },
    validation: unknownParameter(byScantype),
    'missing reference': missingParts(byScantype, { id: noSuchId }),
    conflict: readsOnly,
  },
};
