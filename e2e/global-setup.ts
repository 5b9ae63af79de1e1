/** Once for a run: the package, installed into an empty folder. */
import type { TestProject } from 'vitest/node';
import { installMilepost } from './install.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder that the package was installed into. */
    installed: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await installMilepost();
  project.provide('installed', folder.path);
  return folder.remove;
}
