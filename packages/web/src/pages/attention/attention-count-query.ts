import { operationQuery } from '../../api/operation-query.ts';
import { touchesAttention } from './touches-attention.ts';

/** The counts alone. */
export const attentionCountQuery = operationQuery('listAttention', { query: { limit: 0 } }, touchesAttention);
