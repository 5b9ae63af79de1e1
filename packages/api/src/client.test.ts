import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic, bearer, createClient } from './client.ts';
import { ProblemError } from './problem-error.ts';

interface Reply {
  status: number;
  type: string;
  body: string;
}

let server: Server;
let baseUrl: string;
let reply: Reply;
let received: { method: string; url: string; headers: IncomingMessage['headers']; body: string };

const json = (status: number, body: unknown, type = 'application/json'): Reply => ({
  status,
  type,
  body: JSON.stringify(body),
});

const textOf = async (request: IncomingMessage) => {
  request.setEncoding('utf8');
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

const answer = async (request: IncomingMessage, response: ServerResponse) => {
  const { method = '', url = '', headers } = request;
  received = { method, url, headers, body: await textOf(request) };
  response.writeHead(reply.status, { 'content-type': reply.type, link: '</next>; rel="next"' }).end(reply.body);
};

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api/v2/`;
});

afterAll(() => server.close());

const failureOf = async (promise: Promise<unknown>): Promise<ProblemError> => {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  if (!(error instanceof ProblemError)) throw new Error('The call did not fail');
  return error;
};

describe('a call', () => {
  it('encodes path parameters and resolves to the body', async () => {
    reply = json(200, { id: 7, label: 'a/b' });
    const cohort = await createClient({ baseUrl }).getCohortByLabel({ params: { label: 'a/b é?' } });
    expect(received).toMatchObject({ method: 'GET', url: '/api/v2/cohorts/by-label/a%2Fb%20%C3%A9%3F' });
    expect(cohort.label).toBe('a/b');
  });

  it('sends the query, the mask and the credentials', async () => {
    reply = json(200, { experiments: [] });
    const client = createClient({ baseUrl, authorization: basic('j.jansen', 'pâssword'), headers: { 'x-trace': '1' } });
    const { status, headers, body } = await client.call('listExperiments', {
      query: { state: 'arrived & checked', limit: 2 },
      fields: 'experiments{id}',
    });
    expect(received.url).toBe('/api/v2/experiments?state=arrived+%26+checked&limit=2');
    expect(received.headers).toMatchObject({
      'x-fields': 'experiments{id}',
      'x-trace': '1',
      authorization: `Basic ${Buffer.from('j.jansen:pâssword').toString('base64')}`,
    });
    expect([status, headers.get('link'), body.experiments]).toEqual([200, '</next>; rel="next"', []]);
  });

  it('sends an API token', async () => {
    reply = json(200, { cohorts: [] });
    await createClient({ baseUrl, authorization: bearer('mp_x') }).listCohorts();
    expect(received.headers['authorization']).toBe('Bearer mp_x');
  });

  it('sends a body as JSON, and sends no Content-Type if there is no body', async () => {
    reply = json(201, { id: 7 });
    await createClient({ baseUrl }).createCohort({ body: { label: 'memory-clinic-2026' } });
    expect(received).toMatchObject({ method: 'POST', body: '{"label":"memory-clinic-2026"}' });
    expect(received.headers['content-type']).toBe('application/json');
    await createClient({ baseUrl }).checkTimeouts();
    expect([received.body, received.headers['content-type']]).toEqual(['', undefined]);
  });

  it('is type-checked against the table of operations', () => {
    const client = createClient({ baseUrl, fetch: () => Promise.resolve(Response.json({})) });
    // @ts-expect-error an id is required
    const withoutParams = () => client.getCohort();
    // @ts-expect-error the label is required
    const withoutLabel = () => client.createCohort({ body: {} });
    // @ts-expect-error a role assignment cannot be masked
    const masked = () => client.assignUserRole({ params: { username: 'a', role_name: 'b' }, fields: 'user' });
    const dated = async (): Promise<string | null> => (await client.getSubject({ params: { id: 1 } })).date_of_birth;
    expect([withoutParams, withoutLabel, masked, dated]).toHaveLength(4);
  });
});

describe('a failed call', () => {
  it('throws an error with the problem', async () => {
    reply = json(404, { code: 'not_found', detail: 'No cohort with id 7.' }, 'application/problem+json');
    const error = await failureOf(createClient({ baseUrl }).getCohort({ params: { id: 7 } }));
    expect(error).toMatchObject({ status: 404, message: 'No cohort with id 7.', problem: { code: 'not_found' } });
  });

  it('throws an error with the whole body of a rejected state change', async () => {
    const body = {
      success: false,
      state: { id: 3 },
      error: { code: 'no_transition', detail: 'No transition leads to done.' },
    };
    reply = json(409, body);
    const call = { params: { id: 112 }, body: { state_label: 'done' } };
    const error = await failureOf(createClient({ baseUrl }).setExperimentState(call));
    expect(error).toMatchObject({
      status: 409,
      message: 'No transition leads to done.',
      problem: { code: 'no_transition' },
      body,
    });
  });

  it('throws an error with the status and text of a response that is not from Milepost', async () => {
    reply = { status: 502, type: 'text/html', body: '<h1>Bad gateway</h1>' };
    const error = await failureOf(createClient({ baseUrl }).listCohorts());
    expect(error).toMatchObject({
      status: 502,
      message: '502 Bad Gateway',
      problem: undefined,
      body: '<h1>Bad gateway</h1>',
    });
  });
});
