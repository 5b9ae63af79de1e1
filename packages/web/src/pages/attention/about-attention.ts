/** The headline of the attention page, and the sentences about all other experiments. */
import { cappedCount, count, countOf } from '../../ui/numbers.ts';
import { shortText } from '../../ui/times.ts';
import type { AttentionCounts } from './attention-kinds.ts';

export function headline(experiments: number): string {
  if (experiments === 0) return 'No experiments need attention';
  return experiments === 1 ? '1 experiment needs attention' : `${cappedCount(experiments)} experiments need attention`;
}

/** `newSince` is when the user last looked. The number of moving experiments is unknown if there are too many others to count. */
export function aboutOthers(counts: AttentionCounts, newSince: string | null): string {
  const { experiments, moving, retrying, total } = counts;
  if (total === 0) return 'There are no experiments yet.';
  const parts = [
    ...(newSince === null || counts.new === 0 ? [] : [newText(counts.new, newSince)]),
    ...(moving === null ? [] : [movingText(moving, experiments > 0)]),
    ...(retrying === 0
      ? []
      : [
          retrying === 1
            ? '1 run is retrying automatically.'
            : `${cappedCount(retrying)} runs are retrying automatically.`,
        ]),
  ];
  return parts.join(' ');
}

const newText = (number: number, since: string) =>
  `${cappedCount(number)} ${number === 1 ? 'item is' : 'items are'} new since ${shortText(since)}.`;

function movingText(moving: number, others: boolean): string {
  if (moving === 0) return others ? 'No other experiments are moving.' : 'No experiments are moving.';
  const noun = others ? `${count(moving)} more` : countOf(moving, 'experiment');
  return `${noun} ${moving === 1 ? 'is' : 'are'} moving.`;
}
