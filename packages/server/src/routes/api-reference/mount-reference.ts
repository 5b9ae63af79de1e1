/** Serves the API reference at <base path>/docs: one page and its stylesheet. */
import { openapi, type Operations } from '@milepost/api';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { version } from '../../version.ts';
import type { Pages } from '../pages/read-pages.ts';
import { referencePage, type ApiDocument } from './reference-page.ts';
import { fontFace, style } from './style.ts';

export const referencePaths = ({ basePath }: Config) => [`${basePath}/docs`, `${basePath}/docs/style.css`];

/** Allows only the page's own stylesheet and font, and no scripts. */
const policy =
  "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The pages bundle Inter under a name with a hash. Without the pages, the reference has the font of the system. */
const fontIn = (pages: Pages) => [...pages.keys()].find((path) => /\/inter-latin-wght-normal-[^/]+\.woff2$/.test(path));

export function mountReference(app: FastifyInstance, { basePath }: Config, pages: Pages, built: Operations): void {
  const font = fontIn(pages);
  const sheet = font === undefined ? style : fontFace(font) + style;
  const page = referencePage(openapi(built, { version, basePath }) as ApiDocument);
  app.get(`${basePath}/docs`, { config: { operation: 'docs' } }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page),
  );
  app.get(`${basePath}/docs/style.css`, { config: { operation: 'docs' } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(sheet),
  );
}
