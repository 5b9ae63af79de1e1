/** The subject of an experiment withdraws, and can be erased then. */
import { expect } from 'vitest';
import type { TestServer } from './server.ts';

async function subjectOf(server: TestServer, experimentId: number) {
  const { body } = await server.call('getExperiment', { params: { id: experimentId } });
  return body.subject;
}

export async function withdrawSubjectOf(server: TestServer, experimentId: number): Promise<void> {
  const { id } = await subjectOf(server, experimentId);
  const body = { reason: 'asked to', date: '2026-11-01' };
  expect((await server.call('withdrawSubject', { params: { id }, body })).status).toBe(200);
}

export async function eraseSubjectOf(server: TestServer, experimentId: number): Promise<void> {
  await withdrawSubjectOf(server, experimentId);
  const { id, label } = await subjectOf(server, experimentId);
  const { body } = await server.call('requestErasure', { params: { id }, body: { reason: 'by letter' } });
  const confirmed = await server.call('eraseSubject', { params: { id }, body: { erasure_id: body.id, label } });
  expect(confirmed.status).toBe(200);
}
