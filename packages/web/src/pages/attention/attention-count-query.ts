import { operationQuery } from '../../api/operation-query.ts';
import { touchesAttention } from './touches-attention.ts';

export const attentionCountQuery = operationQuery('listAttention', { query: { limit: 0 } }, touchesAttention);
