import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { announceDone, announceProblem } from '../../ui/announcements.tsx';
import type { Remedy } from './remedy.ts';
import { titleOf } from './transition-status.ts';
import type { Overview } from './use-experiment.ts';

async function evaluate({ id, label, transitions }: Overview): Promise<string> {
  const { moved, state } = await client.evaluateExperiment({ params: { id }, body: {} });
  return moved ? `Moved ${label} to ${titleOf(state, transitions)}.` : `No transition applies to ${label} yet.`;
}

async function retry({ id, label }: Overview): Promise<string> {
  await client.retryExperiment({ params: { id }, body: {} });
  return `Retrying ${label}.`;
}

/** An event updates the page. */
export const useRemedy = (experiment: Overview) =>
  useMutation({
    mutationFn: ({ operation }: Remedy) => (operation === 'retry' ? retry(experiment) : evaluate(experiment)),
    onSuccess: announceDone,
    onError: announceProblem,
  });
