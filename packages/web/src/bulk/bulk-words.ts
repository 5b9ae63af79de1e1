/** How pages speak about each kind of bulk operation. */
import type { BulkKind, BulkStatus } from '@milepost/api';
import type { BodyOf } from '../api/operation-query.ts';
import type { TitleOf } from '../status/use-state-look.tsx';
import { count, countOf } from '../ui/numbers.ts';

export type BulkOperation = BodyOf<'getBulkOperation'>;

interface Words {
  /** In menus. */
  name: string;
  /** The heading of a form, with the experiments: `1,240 experiments`. */
  title: (experiments: string) => string;
  /** After a number: `1,187 will move`. */
  will: string;
  /** The button, with the number that will succeed. */
  action: (number: number) => string;
  /** While it runs, with the experiments. */
  doing: (experiments: string) => string;
  /** After a number: `1,187 moved`. */
  done: string;
}

const words: Record<BulkKind, Words> = {
  move: {
    name: 'Move',
    title: (experiments) => `Move ${experiments}`,
    will: 'will move',
    action: (number) => `Move ${count(number)}`,
    doing: (experiments) => `Moving ${experiments}`,
    done: 'moved',
  },
  retry: {
    name: 'Retry runs',
    title: (experiments) => `Retry runs of ${experiments}`,
    will: 'will be retried',
    action: (number) => `Retry ${count(number)}`,
    doing: (experiments) => `Retrying ${experiments}`,
    done: 'retried',
  },
  evaluate: {
    name: 'Re-evaluate',
    title: (experiments) => `Re-evaluate ${experiments}`,
    will: 'will be re-evaluated',
    action: (number) => `Re-evaluate ${count(number)}`,
    doing: (experiments) => `Re-evaluating ${experiments}`,
    done: 're-evaluated',
  },
  place: {
    name: 'Correct state',
    title: (experiments) => `Correct the state of ${experiments}`,
    will: 'will be corrected',
    action: (number) => `Correct ${count(number)}`,
    doing: (experiments) => `Correcting ${experiments}`,
    done: 'corrected',
  },
  set_variables: {
    name: 'Set variables',
    title: (experiments) => `Set variables of ${experiments}`,
    will: 'will be changed',
    action: (number) => `Change ${count(number)}`,
    doing: (experiments) => `Changing ${experiments}`,
    done: 'changed',
  },
  assign: {
    name: 'Assign',
    title: (experiments) => `Assign ${experiments}`,
    will: 'will be changed',
    action: (number) => `Change ${count(number)}`,
    doing: (experiments) => `Changing the assignee of ${experiments}`,
    done: 'changed',
  },
  note: {
    name: 'Add note',
    title: (experiments) => `Add a note to ${experiments}`,
    will: 'will get the note',
    action: (number) => `Add ${countOf(number, 'note')}`,
    doing: (experiments) => `Adding notes to ${experiments}`,
    done: 'notes added',
  },
};

export const wordsOf = (kind: BulkKind): Words => words[kind];

/** The change without a number: `Move to Reprocessing`. */
export function changeText({ kind, state, variables, user_id: user }: BulkOperation, titleOf: TitleOf): string {
  if (kind === 'move' && state !== null) return `Move to ${titleOf(state)}`;
  if (kind === 'place' && state !== null) return `Correct state to ${titleOf(state)}`;
  if (kind === 'set_variables' && variables) return `Set ${Object.keys(variables).join(', ')}`;
  return kind === 'assign' && user === null ? 'Remove assignment' : words[kind].name;
}

const statusNames: Record<BulkStatus, string> = {
  checking: 'Checking',
  checked: 'Checked',
  running: 'Running',
  paused: 'Paused',
  finished: 'Finished',
  stopped: 'Stopped',
};

export const statusName = (status: BulkStatus): string => statusNames[status];

/** Whether its numbers change without a request of this page. */
export const isWorking = ({ status }: Pick<BulkOperation, 'status'>): boolean =>
  status === 'checking' || status === 'running';

export const hasEnded = ({ status }: Pick<BulkOperation, 'status'>): boolean =>
  status === 'finished' || status === 'stopped';

/** `27 retried, 1 refused`. */
export function resultText({ kind, done, refused }: Pick<BulkOperation, 'kind' | 'done' | 'refused'>): string {
  const changed = `${count(done)} ${words[kind].done}`;
  return refused === 0 ? changed : `${changed}, ${count(refused)} refused`;
}

/** `Move to Done: 27 moved.` A stopped operation says why, and how many it left. */
export function endText(one: BulkOperation, titleOf: TitleOf): string {
  const result = `${changeText(one, titleOf)}: ${resultText(one)}`;
  if (one.status === 'finished') return `${result}.`;
  return `${result}, ${count(one.ready)} not changed. Stopped. ${one.stopped_because ?? ''}`.trim();
}

/** `Moving 812 of 1,187 experiments`, or that it is being checked or paused. */
export function progressText({
  kind,
  status,
  done,
  ready,
}: Pick<BulkOperation, 'kind' | 'status' | 'done' | 'ready'>): string {
  if (status === 'checking') return `${words[kind].name}: checking`;
  const total = countOf(done + ready, 'experiment');
  if (status === 'paused') return `${words[kind].name}: paused, ${count(done)} of ${total}`;
  return words[kind].doing(`${count(done)} of ${total}`);
}
