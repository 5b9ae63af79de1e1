/**
 * The method and path of each operation, which is all that a client needs at run time. They are printed from the table, whose
 * schemas and examples would be most of the code of a page and most of the start of the command line.
 */
import type { Operation } from './operation.ts';
import { printedAddresses } from './operation-addresses.ts';
import { keysOf, recordOf } from './typed-keys.ts';
import type { OperationName } from './operations.ts';

export type Address = Pick<Operation, 'method' | 'path' | 'stream' | 'lines' | 'upload'>;

function readAddress(printed: string): Address {
  const [method, path = '', mark] = printed.split(' ');
  return {
    method: method as Address['method'],
    path,
    ...(mark === 'stream' && { stream: true }),
    ...(mark === 'lines' && { lines: true }),
    ...(mark === 'text/csv' && { upload: mark }),
  };
}

export const addresses: Record<OperationName, Address> = recordOf(keysOf(printedAddresses), (name) =>
  readAddress(printedAddresses[name]),
);
