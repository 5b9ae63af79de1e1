import { describe, expect, it } from 'vitest';
import { addresses } from './addresses.ts';
import { operationNames, operations, type OperationName } from './operations.ts';
import type { Operation } from './operation.ts';

describe('the printed addresses', () => {
  it('are those of the operations, in the same order', () => {
    expect(Object.keys(addresses)).toEqual(operationNames);
  });

  it.each(operationNames)('have the method, path and kind of %s', (name: OperationName) => {
    const { method, path, stream, lines, upload }: Operation = operations[name];
    expect({ stream: undefined, lines: undefined, upload: undefined, ...addresses[name] }).toEqual({
      method,
      path,
      stream,
      lines,
      upload,
    });
  });
});
