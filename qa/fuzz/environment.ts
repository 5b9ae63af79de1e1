/** Schemathesis in its own virtual environment. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonEnvironment } from '../python-environment.ts';

/** Returns the path of the program. */
export const schemathesis = (): string =>
  join(pythonEnvironment('fuzz', fileURLToPath(new URL('./requirements.txt', import.meta.url))), 'schemathesis');
