/**
 * The priorities of jobs. Runs of bulk moves, such as those of a `state_map`, wait for the runs of single moves. Jobs of the
 * previous release have the priority of single moves.
 */
export const priorities = { single: 0, bulk: -1 } as const;
