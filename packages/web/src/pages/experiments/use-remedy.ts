import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { useStateLooks } from '../../status/use-state-look.tsx';
import { announceDone, announceProblem } from '../../ui/announcements.tsx';
import type { Remedy } from './remedy.ts';
import type { Overview } from './use-experiment.ts';

type LookOf = ReturnType<typeof useStateLooks>;

async function evaluate({ id, label }: Overview, lookOf: LookOf): Promise<string> {
  const { moved, state } = await client.evaluateExperiment({ params: { id }, body: {} });
  return moved ? `Moved ${label} to ${lookOf(state).title}.` : `No transition applies to ${label} yet.`;
}

async function retry({ id, label }: Overview): Promise<string> {
  await client.retryExperiment({ params: { id }, body: {} });
  return `Retrying ${label}.`;
}

/** An event updates the page. */
export function useRemedy(experiment: Overview) {
  const lookOf = useStateLooks();
  return useMutation({
    mutationFn: ({ operation }: Remedy) => (operation === 'retry' ? retry(experiment) : evaluate(experiment, lookOf)),
    onSuccess: announceDone,
    onError: announceProblem,
  });
}
