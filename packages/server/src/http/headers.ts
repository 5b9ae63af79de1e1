import type { FastifyInstance } from 'fastify';

const always = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};
const aYear = 365 * 24 * 60 * 60;

/**
 * What every answer carries. An answer of the interface is data: nothing in it may run, be framed or be kept. Where people come
 * over https, their browsers are told to come by no other way.
 */
export const securityHeaders = (publicUrl: string | undefined): Record<string, string> => ({
  ...always,
  ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': `max-age=${aYear}` }),
});

export function secureHeaders(app: FastifyInstance, headers: Record<string, string>): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
}
