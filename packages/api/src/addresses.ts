/**
 * The method and path of each operation, which is all the client needs at run time. The web bundle contains this record
 * instead of the table, whose schemas and examples would be most of it (packages/web/vite-plugins/operation-addresses.ts).
 */
import type { Operation } from './operation.ts';
import { operationNames, operations, type OperationName } from './operations.ts';
import { recordOf } from './typed-keys.ts';

export type Address = Pick<Operation, 'method' | 'path' | 'stream' | 'lines' | 'upload'>;

export const addresses: Record<OperationName, Address> = recordOf(operationNames, (name) => {
  const { method, path, stream, lines, upload }: Operation = operations[name];
  return { method, path, ...(stream && { stream }), ...(lines && { lines }), ...(upload && { upload }) };
});
