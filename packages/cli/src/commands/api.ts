/** Any request of the API, for what has no command of its own. */
import { ProblemError } from '@milepost/api/client';
import { defineCommand } from '../run/command.ts';
import { usage } from '../run/failure.ts';
import { findConnection } from '../contexts/connect.ts';
import { readSecret } from '../contexts/prompt.ts';
import { readText } from '../contexts/read-file.ts';
import { writeNow } from '../output/write-output.ts';

const methods = ['GET', 'POST', 'PUT', 'DELETE'];

/** `@file` reads a file, and `-` standard input. */
const readBody = (text: string): Promise<string> | string => {
  if (text === '-') return readSecret();
  return text.startsWith('@') ? readText(text.slice(1)) : text;
};

const api = defineCommand({
  path: 'api',
  summary: 'send any request to the API',
  description: 'Prints the response as it is. The reference of all operations is at /api/v2/docs of your server.',
  args: [
    { name: 'method', about: 'GET, POST, PUT or DELETE' },
    { name: 'path', about: 'path and query below the base path, such as /cohorts?limit=5' },
  ],
  options: {
    body: { short: 'd', takes: 'JSON', about: 'the body; @FILE reads a file, - standard input' },
    header: { short: 'H', takes: 'HEADER', repeated: true, about: 'a header, such as "Accept: text/csv"' },
  },
  examples: [
    'milepost api GET /cohorts',
    `milepost api GET '/experiments/search?q=state:arrived' -H 'Accept: text/csv'`,
    `milepost api POST /cohorts -d '{"label": "volunteers"}'`,
  ],
  run: async ({ args, values, environment }) => {
    const method = args.method.toUpperCase();
    if (!methods.includes(method))
      throw usage(`\`${args.method}\` is not a valid method.`, `Use one of: ${methods.join(', ')}.`);
    if (!args.path.startsWith('/')) throw usage(`The path must start with /, not \`${args.path}\`.`);
    const { baseUrl, authorization } = await findConnection({ values, environment });
    const headers = new Headers({ accept: 'application/json', authorization });
    if (values.body !== undefined) headers.set('content-type', 'application/json');
    for (const header of values.header) setHeader(headers, header);
    const body = values.body === undefined ? {} : { body: await readBody(values.body) };
    const path = args.path.startsWith(new URL(baseUrl).pathname + '/') ? new URL(baseUrl).origin : baseUrl;
    const response = await fetch(path + args.path, { method, headers, ...body });
    if (!response.ok) throw await ProblemError.of(response);
    // At once, because an event can be the last one for hours.
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) await writeNow(chunk);
    if (process.stdout.isTTY) await writeNow('\n');
  },
});

function setHeader(headers: Headers, header: string): void {
  const [, name, value] = /^([^:]+):\s*(.*)$/.exec(header) ?? [];
  if (name === undefined || value === undefined)
    throw usage(`\`${header}\` is not a valid header.`, 'Write it as "Name: value".');
  headers.set(name, value);
}

export const apiCommands = [api];
