import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../../paths.ts';
import type { ExperimentDecision } from './use-decision.ts';

/** J opens the next decision and K the previous one, outside text fields and dialogs. */
export function useQueueKeys({ previous, next }: Pick<ExperimentDecision, 'previous' | 'next'>): void {
  const navigate = useNavigate();
  const [previousId, nextId] = [previous?.id, next?.id];
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isBusy =
        event.target instanceof Element &&
        event.target.closest('input, textarea, select, [contenteditable], dialog, [role=dialog]');
      if (isBusy || event.ctrlKey || event.metaKey || event.altKey) return;
      const id = { j: nextId, k: previousId }[event.key.toLowerCase()];
      if (id !== undefined) void navigate(paths.experiment(id));
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [navigate, previousId, nextId]);
}
