/** Servers and programs that quote the secrets of a request or a command line: the cause of the failed run does not have them. */
import { text as readAll } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRun, testSecret } from '../../testing/callback-run.ts';
import { createPrograms } from '../../testing/counterparts/programs.ts';
import { startWebServer, type WebServer } from '../../testing/counterparts/web-server.ts';
import { readAllowedTarget } from '../config/targets.ts';
import { createOutgoing } from '../outgoing/create-outgoing.ts';
import type { TemporaryFailure } from './callback-function.ts';
import { createFunctions } from './index.ts';

/** What the server found in the last request, and how it quotes it. */
let findSecret: (request: { url: URL; body: string; authorization: string }) => unknown;
let quote: (secret: string) => string;
let status: number;

const programs = createPrograms();
let server: WebServer;
beforeAll(async () => {
  programs.shell('rejects', 'echo "ERROR: The value $2 is wrong" >&2; exit 1');
  programs.shell('rejects-own', 'echo "ERROR: The value $MILEPOST_EXECUTION_SECRET is wrong" >&2; exit 1');
  programs.file('a.json', '{}');
  server = await startWebServer((request, response) => {
    const answer = async () => {
      const url = new URL(request.url ?? '/', 'http://here');
      const { authorization = '' } = request.headers;
      const secret = String(findSecret({ url, body: await readAll(request), authorization }));
      response.writeHead(status, { 'content-type': 'text/plain' }).end(quote(secret));
    };
    answer().catch(() => response.destroy());
  });
});
afterAll(async () => {
  await server.stop();
  programs.remove();
});

const functions = () => {
  const outgoing = createOutgoing({ allow: [readAllowedTarget(server.origin)] });
  return createFunctions({ outgoing, mail: undefined, commands: programs.names, taskFolder: programs.folder });
};

const inSentence = (secret: string) => `The value ${secret} is wrong`;
interface Given {
  url?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The cause ends inside of the secret, because no space is near. */
const cutInside = (secret: string) => `Rejected ${'/'.repeat(480)}${secret}${'/'.repeat(100)}`;
const hidden = 'The value (hidden) is wrong';

async function causeOf({ url = '/', ...given }: Given, as = 403): Promise<string | undefined> {
  status = as;
  const { run } = makeRun({ ...given, url: server.origin + url });
  const ended = await functions()
    .http(run)
    .catch((error: unknown) => ({ cause: (error as TemporaryFailure).said }));
  return ended.cause;
}

const secret = 's3cr+t/"of 7';
const encoded = encodeURIComponent(secret);

interface Case {
  given: Given;
  find: typeof findSecret;
}

const inQuery = (name: string): Case => ({
  given: { url: `/?experiment=scan&${name}=${encoded}` },
  find: ({ url }) => url.searchParams.get(name),
});
const fieldOf = (body: string, ...path: string[]) =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], JSON.parse(body));
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const cases: Record<string, Case> = {
  'the query': inQuery('api_key'),
  'the query under another name': inQuery('sig'),
  'a JSON body': { given: { body: { password: secret } }, find: ({ body }) => fieldOf(body, 'password') },
  'a field inside a JSON body': {
    given: { body: { scans: [1], login: { user: 'ann', accessToken: secret } } },
    find: ({ body }) => fieldOf(body, 'login', 'accessToken'),
  },
  'a list in a JSON body': {
    given: { body: { tokens: ['first', secret] } },
    find: ({ body }) => fieldOf(body, 'tokens', '1'),
  },
  'JSON in a string in JSON': {
    given: { body: { report: JSON.stringify({ secret_key: secret }) } },
    find: ({ body }) => fieldOf(String(fieldOf(body, 'report')), 'secret_key'),
  },
  'a form': {
    given: { headers: form, body: `user=ann&client_secret=${encoded}` },
    find: ({ body }) => new URLSearchParams(body).get('client_secret'),
  },
  'an XML body': {
    given: { body: `<login><user>ann</user><password>${secret}</password></login>` },
    find: ({ body }) => /<password>(.*)<\/password>/.exec(body)?.[1],
  },
  'basic credentials': {
    given: { headers: { Authorization: `Basic ${Buffer.from(`ann:${secret}`).toString('base64')}` } },
    find: ({ authorization }) => Buffer.from(authorization.slice(6), 'base64').toString().slice(4),
  },
};

const ways: Record<string, (secret: string) => string> = {
  'as it is': inSentence,
  'in a problem object': (text) => JSON.stringify({ status: 403, detail: inSentence(text) }),
  'in JSON inside a text': (text) => `The value ${JSON.stringify(text).slice(1, -1)} is wrong`,
  'percent-encoded': (text) => inSentence(encodeURIComponent(text)),
  'percent-encoded in lower case': (text) =>
    inSentence(encodeURIComponent(text).replaceAll(/%../g, (code) => code.toLowerCase())),
  'as a value of a form': (text) => inSentence(new URLSearchParams({ x: text }).toString().slice(2)),
  'in base64': (text) => inSentence(Buffer.from(text).toString('base64')),
  'in base64 for URLs': (text) => inSentence(Buffer.from(text).toString('base64url')),
};

describe.each(Object.entries(cases))('a secret in %s', (_place, { given, find }) => {
  it.each(Object.entries(ways))('is hidden if the server quotes it %s', async (_way, way) => {
    [findSecret, quote] = [find, way];
    expect(await causeOf(given)).toBe(hidden);
    expect(await causeOf(given, 503)).toBe(hidden);
  });
});

describe('the cause', () => {
  it('has no part of a secret that is cut or quoted over several lines', async () => {
    const lines = ['-----BEGIN KEY-----', 'MIIEvQIBADANBgkq', 'hkiG9w0BAQEFAASC'].join('\n');
    for (const sent of [lines, `x7${'long'.repeat(200)}`, `x7${'long'.repeat(1000)}`]) {
      findSecret = ({ body }) => fieldOf(body, 'private_key');
      quote = (text) => `${'The key was '.repeat(40)}${text}`;
      expect(await causeOf({ body: { private_key: sent } })).not.toMatch(/long|MIIE|hkiG/);
      quote = (text) => `Traceback (most recent call last):\nValueError: ${text}\nERROR: ${text}`;
      expect(await causeOf({ body: { private_key: sent } })).not.toMatch(/long|MIIE|hkiG/);
    }
  });

  it('has no part of the secret of the attempt, even if the text is cut inside of it', async () => {
    findSecret = ({ body }) => fieldOf(body, 'report_with');
    quote = cutInside;
    expect(await causeOf({ body: { report_with: testSecret } })).not.toContain(testSecret.slice(0, 4));
  });

  it('hides short passwords as whole words only', async () => {
    findSecret = ({ body }) => fieldOf(body, 'password');
    quote = (text) => `The masked ${text} is no ${text}ed scan`;
    expect(await causeOf({ body: { password: 'mask' } })).toBe('The masked (hidden) is no masked scan');
  });

  it.each([
    [{ body: { key: 'segmentation', code: 'E17', author: 'ann' } }, 'No segmentation of E17 by ann'],
    [{ url: '/?key=brain&subject=sub-0012' }, 'No brain in sub-0012'],
    [{ headers: { authorization: 'Basic YTpi', cookie: 'JSESSIONID=17' } }, 'Basic access needs a JSESSIONID'],
  ])('of the request %j keeps the words of %j', async (given, words) => {
    [findSecret, quote] = [() => '', () => words];
    expect(await causeOf(given)).toBe(words);
  });
});

describe('a secret in the arguments of a program', () => {
  it.each([
    [{ binary: 'rejects', args: ['--password', secret] }],
    [{ binary: 'rejects', kwargs: { '--api-key': secret } }],
    [{ binary: 'rejects-own' }],
  ])('is hidden if it quotes it: %j', async (given) => {
    const { cause } = await functions().command(makeRun(given).run);
    expect(cause).toBe(hidden);
  });
});

describe('a task manager', () => {
  it.each([403, 503])(
    'that quotes the secret of the task with %d has it hidden, also if the text is cut',
    async (code) => {
      findSecret = ({ body }) => fieldOf(String(fieldOf(body, 'callback_content')), 'secret_key');
      quote = cutInside;
      status = code;
      const { run } = makeRun(
        { task_base: 'a.json', task_info: {} },
        { externalSystems: { TASKMANAGER: server.origin } },
      );
      const ended = await functions()
        .create_task(run)
        .catch((error: unknown) => ({ cause: (error as TemporaryFailure).said }));
      expect(ended.cause).toContain('Rejected');
      expect(ended.cause).not.toContain(testSecret.slice(0, 4));
    },
  );
});
