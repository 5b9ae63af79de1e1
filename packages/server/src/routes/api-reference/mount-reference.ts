/** Serves the API reference at <base path>/docs: one page and its stylesheet. */
import { openapi, type Operations } from '@milepost/api';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { version } from '../../version.ts';
import { referencePage, type ApiDocument } from './reference-page.ts';
import { style } from './style.ts';

export const referencePaths = ({ basePath }: Config) => [`${basePath}/docs`, `${basePath}/docs/style.css`];

/** Allows only the page's own stylesheet and no scripts. */
const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function mountReference(app: FastifyInstance, { basePath }: Config, built: Operations): void {
  const page = referencePage(openapi(built, { version, basePath }) as ApiDocument);
  app.get(`${basePath}/docs`, { config: { operation: 'docs' } }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page),
  );
  app.get(`${basePath}/docs/style.css`, { config: { operation: 'docs' } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(style),
  );
}
