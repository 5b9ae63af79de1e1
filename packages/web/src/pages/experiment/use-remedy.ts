import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { announceDone, announceProblem } from '../../shown/announcements.tsx';
import type { Remedy } from './remedy.ts';

async function tryAgain(id: number, label: string): Promise<string> {
  const { moved, state } = await client.evaluateExperiment({ params: { id }, body: {} });
  return moved ? `${label} went on to ${state.label}.` : `No way is open for ${label} yet.`;
}

async function retry(id: number, label: string): Promise<string> {
  await client.retryExperiment({ params: { id }, body: {} });
  return `${label} runs again.`;
}

/** What follows from it arrives as an event. */
export const useRemedy = (id: number, label: string) =>
  useMutation({
    mutationFn: ({ operation }: Remedy) => (operation === 'retry' ? retry(id, label) : tryAgain(id, label)),
    onSuccess: announceDone,
    onError: announceProblem,
  });
