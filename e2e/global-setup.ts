/** Installs the package into an empty folder once per run, and starts the product that most test files share. */
import type { TestProject } from 'vitest/node';
import { installMilepost } from './install.ts';
import { startProduct } from './product.ts';
import type { Address } from './connection.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with the installed package. */
    installed: string;
    /** The shared product and its administrator. */
    shared: Address;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await installMilepost();
  const { url, account, stop } = await startProduct(folder.path, { data: 'data-shared' });
  project.provide('installed', folder.path);
  project.provide('shared', { url, account });
  return async () => {
    await stop();
    await folder.remove();
  };
}
