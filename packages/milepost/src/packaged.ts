/** What comes along with the program: in its package beside the built files, in the repository where it is written. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { settings, type Environment } from '@milepost/server';

const place = (packaged: string, inRepository: string): string => {
  const [installed, written] = [packaged, inRepository].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return installed !== undefined && existsSync(installed) ? installed : (written ?? '');
};

export const demoWorkflow = place('../examples/brain-mri.yaml', '../../../examples/brain-mri.yaml');

const pages = place('../web', '../../web/dist');
const pagesSetting = 'MILEPOST_WEB_DIR';

/** Tells a server that serves pages where they are, unless the operator has. */
export const withPages = (environment: Environment): Environment =>
  pagesSetting in settings && existsSync(pages) ? { [pagesSetting]: pages, ...environment } : environment;

/** What to show to whoever has just started it: the pages, or the reference where there are none. */
export const firstPage = (url: string, basePath: string): string =>
  pagesSetting in settings && existsSync(pages) ? `${url}/` : `${url}${basePath}/docs`;
