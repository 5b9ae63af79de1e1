/** Fails the build if a module imports the table of operations or a schema, which would be most of the bundle. */
import type { Plugin } from 'vite';

const unwanted = /\/node_modules\/typebox\/|\/packages\/api\/(?:src|dist)\/operations\.[jt]s$/;

export const rejectSchemas = (): Plugin => ({
  name: 'reject-schemas',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const found = chunks.flatMap((chunk) => chunk.moduleIds).find((id) => unwanted.test(id));
    if (found !== undefined)
      this.error(`${found} is in the bundle. Pages must not import schemas or operations from @milepost/api.`);
  },
});
