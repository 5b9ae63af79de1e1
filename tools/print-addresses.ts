/**
 * Prints packages/api/src/operation-addresses.ts: the method and path of each operation, for clients without the table.
 *   node --conditions=source tools/print-addresses.ts [--check]
 */
import { operations, type Operation } from '@milepost/api';
import { printOrCheck } from './printed-file.ts';

const marks = ({ stream, lines, upload }: Operation): string[] => [
  ...(stream ? ['stream'] : []),
  ...(lines ? ['lines'] : []),
  ...(upload === undefined ? [] : [upload]),
];

const line = ([name, operation]: [string, Operation]): string =>
  `  ${name}: '${[operation.method, operation.path, ...marks(operation)].join(' ')}',\n`;

export const addressesText =
  (): string => `/** Printed from the table of operations by \`npm run print\`. Do not edit it. */
import type { OperationName } from './operations.ts';

export const printedAddresses = {
${Object.entries(operations).map(line).join('')}} as const satisfies Record<OperationName, string>;
`;

if (import.meta.main) {
  const text = addressesText();
  await printOrCheck({ file: 'packages/api/src/operation-addresses.ts', text, command: 'npm run print' });
}
