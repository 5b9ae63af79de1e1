import type { erasureOperations } from '@milepost/api';
import { found, invalid, missing, missingParts, noSuchId, unknownParameter } from './expectations.ts';
import { readsOnly, type Expectation, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.subject()).id });

const withdrawal = { reason: 'Does not want to come any more', date: '2026-03-01' };
const asked = { reason: 'By letter' };

/** It was so before. */
const unrecorded = (expected: Expectation): Expectation => ({ ...expected, recorded: { history: [], events: [] } });

async function withdrawn(world: World) {
  const subject = await world.subject();
  await world.call('withdrawSubject', { params: { id: subject.id }, body: withdrawal });
  return subject;
}

async function requested(world: World) {
  const { id, label } = await withdrawn(world);
  const { body } = await world.call('requestErasure', { params: { id }, body: asked });
  return { id, label, erasureId: body.id as number };
}

async function erased(world: World) {
  const { id, label, erasureId } = await requested(world);
  const body = { erasure_id: erasureId, label };
  return { id, label, erasureId, certificate: await world.call('eraseSubject', { params: { id }, body }) };
}

export const erasureCases: SectionCases<typeof erasureOperations> = {
  withdrawSubject: {
    success: {
      'one with an experiment': async (world) => {
        const subject = await world.subject();
        await world.experimentOf(subject);
        return {
          ...found({ params: { id: subject.id }, body: withdrawal }, { withdrawn: { date: '2026-03-01' } }),
          stored: {
            query: 'select withdrawn_at::text, version from subjects where id = $1',
            values: [subject.id],
            rows: [{ withdrawn_at: '2026-03-01', version: '2' }],
          },
        };
      },
      'once more, with another day': async (world) => {
        const { id } = await withdrawn(world);
        const body = { ...withdrawal, date: '2026-02-01' };
        return unrecorded(found({ params: { id }, body }, { withdrawn: { date: '2026-03-01' } }));
      },
    },
    validation: {
      'no reason and no day': async (world) => invalid({ params: await byId(world), body: {} }, '/reason', '/date'),
      'a day in the future': async (world) =>
        invalid({ params: await byId(world), body: { ...withdrawal, date: '9999-01-01' } }, '/date'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }, withdrawal),
    conflict: {
      'one that was erased': async (world) => {
        const { id } = await erased(world);
        return { request: { params: { id }, body: withdrawal }, status: 409, code: 'subject_erased' };
      },
    },
  },
  requestErasure: {
    success: {
      'of one who has withdrawn': async (world) => {
        const { id } = await withdrawn(world);
        const body = { subject_id: id, erased_at: null, destroyed: {}, entry: null };
        return { request: { params: { id }, body: asked }, status: 201, body };
      },
      'once more': async (world) => {
        const { id, erasureId } = await requested(world);
        return unrecorded(found({ params: { id }, body: asked }, { id: erasureId }));
      },
    },
    validation: {
      'no reason': async (world) => invalid({ params: await byId(world), body: {} }, '/reason'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }, asked),
    conflict: {
      'one who takes part': async (world) => ({
        request: { params: await byId(world), body: asked },
        status: 409,
        code: 'subject_not_withdrawn',
      }),
      'one that was erased': async (world) => {
        const { id } = await erased(world);
        return { request: { params: { id }, body: asked }, status: 409, code: 'subject_erased' };
      },
    },
  },
  eraseSubject: {
    success: {
      'as it was asked for': async (world) => {
        const { id, label, erasureId } = await requested(world);
        const body = {
          id: erasureId,
          subject_id: id,
          destroyed: { subjects: 1 },
          entry: { chain: 'subject', chain_id: id },
        };
        return {
          ...found({ params: { id }, body: { erasure_id: erasureId, label } }, body),
          stored: {
            query: 'select label from subjects where id = $1',
            values: [id],
            rows: [{ label: `erased-${id}` }],
          },
        };
      },
      'once more': async (world) => {
        const { id, label, erasureId, certificate } = await erased(world);
        return unrecorded(found({ params: { id }, body: { erasure_id: erasureId, label } }, certificate.body));
      },
    },
    validation: {
      'another label': async (world) => {
        const { id, label, erasureId } = await requested(world);
        return invalid({ params: { id }, body: { erasure_id: erasureId, label: `${label}x` } }, '/label');
      },
    },
    'missing reference': missingParts(byId, { id: noSuchId }, { erasure_id: 1, label: 'x' }),
    conflict: {
      'not asked for': async (world) => {
        const { id, label } = await withdrawn(world);
        const request = { params: { id }, body: { erasure_id: noSuchId, label } };
        return { request, status: 409, code: 'erasure_not_requested' };
      },
    },
  },
  getErasure: {
    success: {
      'one that is asked for': async (world) => {
        const { id, erasureId } = await requested(world);
        return found({ params: { id } }, { id: erasureId, erased_at: null });
      },
      'the certificate': async (world) => {
        const { id, certificate } = await erased(world);
        return found({ params: { id } }, certificate.body);
      },
    },
    validation: unknownParameter(byId),
    'missing reference': {
      ...missingParts(byId, { id: noSuchId }),
      'one that was never asked for': async (world) => missing({ params: await byId(world) }),
    },
    conflict: readsOnly,
  },
};
