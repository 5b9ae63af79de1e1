/** Maps the numbers of a step to experiments and executions of the current world. */
import type { Among, By } from '../generate/steps.ts';
import { isDue } from '../model/attempts.ts';
import type { Reporter } from '../model/report.ts';
import {
  allExecutions,
  countedExecutions,
  isLatest,
  isResolved,
  isUnclaimed,
  latest,
  type Execution,
  type World,
} from '../model/world.ts';

/** The element that a number selects. */
export const chosen = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(list.length, 1)];

const isOpen = (execution: Execution) => !isResolved(execution);

const filters: Record<Among, (execution: Execution) => boolean> = {
  open: (one) => isOpen(one) && isLatest(one),
  superseded: (one) => isOpen(one) && !isLatest(one),
  'able to wait': (one) => isOpen(one) && one.status !== 'waiting' && one.callback.waitTimeout > 0,
  kept: (one) => isOpen(one) && one.result !== 'none',
  ended: (one) => isResolved(one) && one.attempt > 0,
  retried: ({ attempt }) => attempt > 1,
  held: ({ held }) => held,
  started: ({ attempt }) => attempt > 0,
  limited: ({ limited }) => limited,
  delayed: (one) => one.delayed && isUnclaimed(one),
  due: isDue,
  unclaimed: (one) => isUnclaimed(one) && isDue(one),
  any: () => true,
};

export const chooseExecution = (world: World, among: Among, pick: number): Execution | undefined =>
  chosen(allExecutions(world).filter(filters[among]), pick);

export type Retriable = 'latest' | 'carried' | 'any';

/** An execution to retry: one that counts in its experiment, one that was carried over, or any. */
export function chooseRetriable(world: World, among: Retriable, pick: number): Execution | undefined {
  if (among === 'any') return chosen(allExecutions(world), pick);
  const found = world.experiments.flatMap((experiment) =>
    among === 'carried' ? latest(experiment).carried : countedExecutions(experiment).filter(isResolved),
  );
  return chosen(found, pick);
}

/** Before the first attempt there is no secret, so a person reports. */
export function reporterOf(by: By, { attempt }: Execution): Reporter {
  if (by === 'person' || by === 'stranger') return by;
  if (attempt === 0) return 'person';
  return { attempt: by === 'earlier' ? Math.max(1, attempt - 1) : attempt };
}
