import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { announceDone, announceProblem } from '../../ui/announcements.tsx';
import type { Remedy } from './remedy.ts';

async function evaluate(id: number, label: string): Promise<string> {
  const { moved, state } = await client.evaluateExperiment({ params: { id }, body: {} });
  return moved ? `Moved ${label} to ${state.label}.` : `No transition applies to ${label} yet.`;
}

async function retry(id: number, label: string): Promise<string> {
  await client.retryExperiment({ params: { id }, body: {} });
  return `Retrying ${label}.`;
}

/** An event updates the page. */
export const useRemedy = (id: number, label: string) =>
  useMutation({
    mutationFn: ({ operation }: Remedy) => (operation === 'retry' ? retry(id, label) : evaluate(id, label)),
    onSuccess: announceDone,
    onError: announceProblem,
  });
