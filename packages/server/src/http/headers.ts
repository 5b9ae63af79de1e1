import type { FastifyInstance } from 'fastify';

const always = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};
const oneYear = 365 * 24 * 60 * 60;

/**
 * Headers of every response. Responses of the API are data: nothing in them may run, be framed or be cached. If the public URL
 * uses https, browsers are told to use https only.
 */
export const securityHeaders = (publicUrl: string | undefined): Record<string, string> => ({
  ...always,
  ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': `max-age=${oneYear}` }),
});

export function secureHeaders(app: FastifyInstance, headers: Record<string, string>): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}
