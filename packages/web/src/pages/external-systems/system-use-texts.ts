import { count } from '../../ui/numbers.ts';
import type { SystemRow } from './use-external-systems.ts';

/** The server counts up to this number. */
const maxCount = 1000;

/** `1 subject`, `1,000+ subjects`. */
const counted = (value: number, one: string): string =>
  `${count(value)}${value >= maxCount ? '+' : ''} ${one}${value === 1 ? '' : 's'}`;

/** `2 callbacks in brain_mri`, `5 callbacks in 3 workflows`. */
export function callbacksText({ count: callbacks, workflows, first }: SystemRow['callbacks']): string {
  const [one] = first;
  return `${counted(callbacks, 'callback')} in ${workflows === 1 && one ? one.workflow.label : counted(workflows, 'workflow')}`;
}

/** `120 subjects, 135 experiments`. Undefined if there are none, or if the user must not know. */
export function idsText({ subjects, experiments }: Pick<SystemRow, 'subjects' | 'experiments'>): string | undefined {
  const parts = [
    ...(subjects ? [counted(subjects, 'subject')] : []),
    ...(experiments ? [counted(experiments, 'experiment')] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}
