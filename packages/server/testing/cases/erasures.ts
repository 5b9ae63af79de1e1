import type { erasureOperations } from '@milepost/api';
import { found, invalid, missing, missingParts, noSuchId, unknownParameter } from './expectations.ts';
import { readsOnly, type Expectation, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.subject()).id });

const withdrawal = { reason: 'No longer wants to take part', date: '2026-03-01' };
const erasureRequest = { reason: 'Requested by letter' };

/** For requests that change nothing. */
const unrecorded = (expected: Expectation): Expectation => ({ ...expected, recorded: { history: [], events: [] } });

async function withdrawn(world: World) {
  const subject = await world.subject();
  await world.call('withdrawSubject', { params: { id: subject.id }, body: withdrawal });
  return subject;
}

async function requested(world: World) {
  const { id, label } = await withdrawn(world);
  const { body } = await world.call('requestErasure', { params: { id }, body: erasureRequest });
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
      'withdraws a subject with an experiment': async (world) => {
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
      'changes nothing for a subject that is already withdrawn': async (world) => {
        const { id } = await withdrawn(world);
        const body = { ...withdrawal, date: '2026-02-01' };
        return unrecorded(found({ params: { id }, body }, { withdrawn: { date: '2026-03-01' } }));
      },
    },
    validation: {
      'rejects a missing reason and a missing date': async (world) =>
        invalid({ params: await byId(world), body: {} }, '/reason', '/date'),
      'rejects a date in the future': async (world) =>
        invalid({ params: await byId(world), body: { ...withdrawal, date: '9999-01-01' } }, '/date'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }, withdrawal),
    conflict: {
      'rejects an erased subject': async (world) => {
        const { id } = await erased(world);
        return { request: { params: { id }, body: withdrawal }, status: 409, code: 'subject_erased' };
      },
    },
  },
  getWithdrawal: {
    success: {
      'returns who withdrew the subject, and why': async (world) => {
        const { id } = await withdrawn(world);
        const body = { withdrawn: { date: '2026-03-01', reason: withdrawal.reason }, open_runs: 0, runs: [] };
        return found({ params: { id } }, body);
      },
      'returns what a withdrawal would end': async (world) => {
        const subject = await world.subject();
        await world.experimentOf(subject);
        return found({ params: { id: subject.id } }, { subject_id: subject.id, withdrawn: null });
      },
    },
    validation: unknownParameter(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  requestErasure: {
    success: {
      'creates a request for a withdrawn subject': async (world) => {
        const { id } = await withdrawn(world);
        const body = { subject_id: id, erased_at: null, destroyed: {}, entry: null };
        return { request: { params: { id }, body: erasureRequest }, status: 201, body };
      },
      'returns the existing request': async (world) => {
        const { id, erasureId } = await requested(world);
        return unrecorded(found({ params: { id }, body: erasureRequest }, { id: erasureId }));
      },
    },
    validation: {
      'rejects a missing reason': async (world) => invalid({ params: await byId(world), body: {} }, '/reason'),
    },
    'missing reference': missingParts(byId, { id: noSuchId }, erasureRequest),
    conflict: {
      'rejects a subject that is not withdrawn': async (world) => ({
        request: { params: await byId(world), body: erasureRequest },
        status: 409,
        code: 'subject_not_withdrawn',
      }),
      'rejects an erased subject': async (world) => {
        const { id } = await erased(world);
        return { request: { params: { id }, body: erasureRequest }, status: 409, code: 'subject_erased' };
      },
    },
  },
  eraseSubject: {
    success: {
      'erases a subject with a request': async (world) => {
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
      'returns the certificate of a subject that is already erased': async (world) => {
        const { id, label, erasureId, certificate } = await erased(world);
        return unrecorded(found({ params: { id }, body: { erasure_id: erasureId, label } }, certificate.body));
      },
    },
    validation: {
      'rejects a label that does not match': async (world) => {
        const { id, label, erasureId } = await requested(world);
        return invalid({ params: { id }, body: { erasure_id: erasureId, label: `${label}x` } }, '/label');
      },
    },
    'missing reference': missingParts(byId, { id: noSuchId }, { erasure_id: 1, label: 'x' }),
    conflict: {
      'rejects an erasure without a request': async (world) => {
        const { id, label } = await withdrawn(world);
        const request = { params: { id }, body: { erasure_id: noSuchId, label } };
        return { request, status: 409, code: 'erasure_not_requested' };
      },
    },
  },
  getErasure: {
    success: {
      'returns an open request': async (world) => {
        const { id, erasureId } = await requested(world);
        return found({ params: { id } }, { id: erasureId, erased_at: null });
      },
      'returns the certificate of an erasure': async (world) => {
        const { id, certificate } = await erased(world);
        return found({ params: { id } }, certificate.body);
      },
    },
    validation: unknownParameter(byId),
    'missing reference': {
      ...missingParts(byId, { id: noSuchId }),
      'returns 404 for a subject without a request': async (world) => missing({ params: await byId(world) }),
    },
    conflict: readsOnly,
  },
};
