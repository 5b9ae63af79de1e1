/** Searches for labels and external IDs, as items of the palette. */
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { noEvents, operationQuery, type BodyOf } from '../api/operation-query.ts';
import { problemLine } from '../api/problems.ts';
import { paths } from '../paths.ts';
import { beginsWith, type PaletteItem } from './palette-item.ts';

type Results = BodyOf<'search'>;

const pauseMilliseconds = 150;

function itemsOf({ experiments, subjects, cohorts, states }: Results, go: (path: string) => void): PaletteItem[] {
  const item = (kind: string, { id, label }: { id: number; label: string }, detail: string, path: string) => ({
    key: `${kind} ${id}`,
    name: label,
    detail,
    run: () => go(path),
  });
  return [
    ...experiments.map((one) => ({
      ...item(
        'experiment',
        one,
        one.external_id === null ? 'Experiment' : `Experiment · ${one.external_id}`,
        paths.experiment(one.id),
      ),
      state: one.state,
    })),
    ...subjects.map((one) => item('subject', one, `Subject · ${one.cohort.label}`, paths.subject(one.id))),
    ...cohorts.map((one) => item('cohort', one, 'Cohort', paths.cohort(one.id))),
    ...states.map((one) => ({
      ...item('state', one, `State · ${one.workflow.label}`, `${paths.workflow(one.workflow.id)}?state=${one.id}`),
      state: one,
    })),
  ];
}

export function useSearchResults(text: string): { items: PaletteItem[]; message: string } {
  const navigate = useNavigate();
  const [q] = useDebouncedValue(text, pauseMilliseconds);
  const { data, error, isPlaceholderData } = useQuery({
    ...operationQuery('search', { query: { q, limit: 8 } }, noEvents),
    // Labels can change, so results are kept for a minute only.
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    enabled: q !== '',
  });
  if (text === '') return { items: [], message: '' };
  if (error) return { items: [], message: problemLine(error) };
  const found = data ? itemsOf(data, (path) => void navigate(path)) : [];
  const isCurrent = data !== undefined && q === text && !isPlaceholderData;
  return {
    // Until the response arrives, only previous results that still match are shown, so that Enter opens nothing else.
    items: isCurrent ? found : found.filter(beginsWith(text)),
    message: isCurrent && found.length === 0 ? `Nothing found for “${text}”.` : '',
  };
}
