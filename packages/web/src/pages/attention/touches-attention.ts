import type { Touches } from '../../api/operation-query.ts';

/** Every change of an experiment or of one of its executions may bring somebody onto this list, or take them off. */
export const touchesAttention: Touches = ({ experiment_id }) => experiment_id !== null;
