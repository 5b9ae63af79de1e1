/** Finds the web pages and the demo workflow: next to the built files in the package, or at their source in the repository. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { settings, type Environment } from '@milepost/server';

const locate = (packaged: string, inRepository: string): string => {
  const [installed, source] = [packaged, inRepository].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return installed !== undefined && existsSync(installed) ? installed : (source ?? '');
};

export const demoWorkflow = locate('../examples/brain-mri.yaml', '../../../examples/brain-mri.yaml');

const pages = locate('../web', '../../web/dist');
const pagesSetting = 'MILEPOST_WEB_DIR';

/** Sets the folder of the web pages, unless the operator has set it. */
export const withPages = (environment: Environment): Environment =>
  pagesSetting in settings && existsSync(pages) ? { [pagesSetting]: pages, ...environment } : environment;

/** The page that opens in the browser at startup: the home page, or the API reference if there are no pages. */
export const firstPage = (url: string, basePath: string): string =>
  pagesSetting in settings && existsSync(pages) ? `${url}/` : `${url}${basePath}/docs`;
