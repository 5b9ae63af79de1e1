/** How refusals stand in the OpenAPI document: three shared answers, which differ in their headers only. */

const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

export const problemComponents = {
  headers: {
    ETag: {
      description:
        'The version of the resource, for `If-Match`. It does not depend on `X-Fields` or on what is embedded.',
      schema: { type: 'string' },
      example: '"3"',
    },
    Link: { description: 'With `rel="next"`: the next page, if there is one.', schema: { type: 'string' } },
    'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
    'WWW-Authenticate': { description: 'How to sign in.', schema: { type: 'string' } },
  },
  responses: {
    Problem: { description: 'The request was refused.', content },
    NotSignedIn: {
      description: 'Sign in first.',
      headers: { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } },
      content,
    },
    TryLater: {
      description: 'Try again later.',
      headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
      content,
    },
  },
};

const sharedAnswer: Record<number, string> = { 401: 'NotSignedIn', 429: 'TryLater', 503: 'TryLater' };

/** A shared answer in the words of the operation, or one of its own where a refusal carries more than a problem. */
export const problemAnswer = (status: number, description: string, further: object) =>
  Object.keys(further).length > 0
    ? { description, content: { ...further, ...content } }
    : { $ref: `#/components/responses/${sharedAnswer[status] ?? 'Problem'}`, description };
