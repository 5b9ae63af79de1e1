/** Error responses in the OpenAPI document: three shared ones, which differ only in their headers. */

const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

export const problemComponents = {
  headers: {
    ETag: {
      description:
        'The version of the object, for `If-Match`. It does not depend on `X-Fields` or on embedded objects.',
      schema: { type: 'string' },
      example: '"3"',
    },
    Link: {
      description: 'The URL of the next page, with `rel="next"`. Absent on the last page.',
      schema: { type: 'string' },
    },
    'Retry-After': { description: 'Seconds to wait before you repeat the request.', schema: { type: 'integer' } },
    'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
  },
  responses: {
    Problem: { description: 'The request failed.', content },
    NotSignedIn: {
      description: 'You are not signed in, or your credentials are invalid.',
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

const sharedResponse: Record<number, string> = { 401: 'NotSignedIn', 429: 'TryLater', 503: 'TryLater' };

/** A shared response with the operation's description, or an inline one if the error has another body, too. */
export const problemResponse = (status: number, description: string, further: object) =>
  Object.keys(further).length > 0
    ? { description, content: { ...further, ...content } }
    : { $ref: `#/components/responses/${sharedResponse[status] ?? 'Problem'}`, description };
