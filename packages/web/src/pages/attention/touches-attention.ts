import type { Touches } from '../../api/operation-query.ts';
import { changesBelonging } from '../../live/changes-belonging.ts';

/** Every change of an experiment or of one of its executions may bring somebody onto this list, or take them off. */
export const touchesAttention: Touches = (event) => event.experiment_id !== null || changesBelonging(event);
