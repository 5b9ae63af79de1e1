/**
 * Shares the jobs of queues between workflows and priorities. A process remembers which workflow it served last, so that the workflows
 * alternate even if it takes one job at a time. A workflow whose runs occupy more slots of the process goes behind the others.
 *
 * Runs of bulk moves wait while runs of single moves do. So that they do not wait forever, every tenth job is theirs, unless they
 * already occupy a tenth of the slots.
 */
import type { Db } from '../database/connection.ts';
import { priorities } from './priorities.ts';
import { takeFairly, type Taken, type TakenJob, type Taking } from './take-fairly.ts';

/** A run that occupies a slot of the process. */
export interface OccupiedSlot {
  workflow: string;
  bulk: boolean;
}

export interface Slots {
  slots: number;
  occupied: readonly OccupiedSlot[];
}

export interface FairQueue {
  /**
   * Takes up to `most` jobs. Fewer mean that no more can start. A program that claims runs over HTTP has no slots here.
   */
  take: (queue: string, most: number, slots?: Slots) => Promise<TakenJob[]>;
  /** The same with another statement, which keeps the jobs. Returns their number. */
  takeWith: (statement: TakingStatement, queue: string, most: number, slots?: Slots) => Promise<number>;
}

/** Runs a statement that takes jobs. */
export type TakingStatement = (taking: Taking) => Promise<Taken>;

/** Every n-th job, and every n-th slot. */
const bulkShare = 10;

/** What the process remembers of a queue. */
interface Memory {
  taken: number;
  bulkWaits: boolean;
  /** The least recently served workflow is first. */
  served: Set<string>;
}

/** `traced`: taken jobs have their place in a trace. */
export function createFairQueue(db: Db, options: { traced?: boolean } = {}): FairQueue {
  const memories = new Map<string, Memory>();
  const takeWith: FairQueue['takeWith'] = async (statement, queue, most, slots) => {
    const memory = memories.get(queue) ?? { taken: 0, bulkWaits: false, served: new Set<string>() };
    const jobs: TakenJob[] = [];
    const takeOnce = async (wanted: number, highestPriority: number) => {
      const taken = await statement({ queue, most: wanted, highestPriority, lastWorkflows: inTurn(memory, slots) });
      remember(memory, taken);
      jobs.push(...taken.jobs);
      return taken.more;
    };
    const reserved = reservedForBulk(memory, most, slots);
    if (reserved > 0) await takeOnce(reserved, priorities.bulk);
    while (jobs.length < most && (await takeOnce(most - jobs.length, priorities.single)));
    // Requests can name any queue.
    if (jobs.length > 0) memories.set(queue, memory);
    return jobs.length;
  };
  return {
    takeWith,
    async take(queue, most, slots) {
      const jobs: TakenJob[] = [];
      const statement = async (taking: Taking) => {
        const taken = await takeFairly(db, taking, options);
        jobs.push(...taken.jobs);
        return taken;
      };
      await takeWith(statement, queue, most, slots);
      return jobs;
    },
  };
}

function remember(memory: Memory, { jobs, bulkWaits }: Taken): void {
  memory.taken += jobs.length;
  memory.bulkWaits = bulkWaits;
  for (const { workflow } of jobs) {
    memory.served.delete(workflow);
    memory.served.add(workflow);
  }
}

function inTurn({ served }: Memory, slots: Slots | undefined): string[] {
  const occupied = new Map<string, number>();
  for (const { workflow } of slots?.occupied ?? []) occupied.set(workflow, (occupied.get(workflow) ?? 0) + 1);
  return [...served].toSorted((a, b) => (occupied.get(a) ?? 0) - (occupied.get(b) ?? 0));
}

function reservedForBulk({ taken, bulkWaits }: Memory, most: number, slots: Slots | undefined): number {
  if (!bulkWaits) return 0;
  const due = Math.floor((taken + most) / bulkShare) - Math.floor(taken / bulkShare);
  if (!slots) return due;
  const free = Math.ceil(slots.slots / bulkShare) - slots.occupied.filter(({ bulk }) => bulk).length;
  return Math.max(0, Math.min(due, free));
}
