/**
 * Replaces the table of operations in the bundle with their paths, so that pages contain no schemas or examples. The build
 * fails if a module still imports them.
 */
import { addresses } from '@milepost/api';
import type { Plugin } from 'vite';

const replaced = /\/packages\/api\/(?:src\/addresses\.ts|dist\/addresses\.js)$/;
const unwanted = /\/node_modules\/typebox\/|\/packages\/api\/(?:src|dist)\/operations\.[jt]s$/;

export const operationAddresses = (): Plugin => ({
  name: 'operation-addresses',
  load: (id) => (replaced.test(id) ? `export const addresses = ${JSON.stringify(addresses)};` : undefined),
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const found = chunks.flatMap((chunk) => chunk.moduleIds).find((id) => unwanted.test(id));
    if (found !== undefined)
      this.error(`${found} is in the bundle. Pages must not import schemas or operations from @milepost/api.`);
  },
});
