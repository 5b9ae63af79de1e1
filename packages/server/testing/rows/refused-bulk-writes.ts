/** Writes to bulk operations that the constraints reject. */
import { long } from './refused-values.ts';

const operation = (set: string) => `update bulk_operations set ${set}`;

export const refusedBulkWrites: Record<string, string[]> = {
  bulk_operations_author_fk: [operation('author_id = 99')],
  bulk_operations_kind_check: [operation(`kind = 'delete'`)],
  bulk_operations_status_check: [operation(`status = 'failed'`)],
  bulk_operations_ended_check: [operation('ended_at = now()'), operation(`status = 'finished'`)],
  bulk_operations_query_check: [operation(`query = ${long(1001)}`)],
  bulk_operations_rate_check: [operation('rate = 0')],
  bulk_operations_counts_check: [
    operation('ready = 1'),
    operation('ready = -1, done = 1'),
    operation('experiments = 2'),
  ],
  bulk_refusals_operation_fk: [`insert into bulk_refusals values (99, 1, 'x', 'x', 1)`],
  bulk_refusals_reason_unique: [`insert into bulk_refusals values (1, 2, 'not_found', 'x', 1)`],
  bulk_refusals_detail_check: [`update bulk_refusals set detail = ${long(2001)}`],
  bulk_items_operation_fk: [
    `insert into bulk_items (operation_id, number, experiment_id, result) values (99, 1, 1, 'done')`,
  ],
  bulk_items_result_check: [`update bulk_items set result = 'open', refusal = null`],
  bulk_items_refusal_check: [`update bulk_items set refusal = null`, `update bulk_items set result = 'done'`],
};
