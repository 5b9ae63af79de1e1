import type { Touches } from '../../api/operation-query.ts';
import { changesParentOrLabel } from '../../live/changes-parent-or-label.ts';

/** Any change of an experiment or one of its executions can add it to the list or remove it. */
export const touchesAttention: Touches = (event) => event.experiment_id !== null || changesParentOrLabel(event);
