/** A client for the server that the user chose: from the environment, from `--context`, or the current context. */
import { bearer, createClient, nearestName, type Client } from '@milepost/api/client';
import type { Environment } from '../run/command.ts';
import { Failure, usage } from '../run/failure.ts';
import { readContexts, type Context } from './context-file.ts';

export interface Connection {
  baseUrl: string;
  authorization: string;
}

export interface Chosen {
  environment: Environment;
  values: { readonly context?: unknown };
}

/** `https://milepost.example.org` is short for its API. */
export function apiUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw usage(`\`${text}\` is not a valid URL of a server.`, 'Use a URL such as https://milepost.example.org.');
  const trimmed = text.replace(/\/+$/, '');
  return new URL(trimmed).pathname === '/' ? `${trimmed}/api/v2` : trimmed;
}

export async function findConnection({ environment, values }: Chosen): Promise<Connection> {
  const fromEnvironment = values.context === undefined ? readEnvironment(environment) : undefined;
  if (fromEnvironment) return fromEnvironment;
  const context = await chosenContext(environment, values.context as string | undefined);
  return { baseUrl: context.url, authorization: bearer(context.token) };
}

/** A token never goes to a server that it was not set for. */
function readEnvironment({ MILEPOST_URL: url, MILEPOST_TOKEN: token }: Environment): Connection | undefined {
  if (url && token) return { baseUrl: apiUrl(url), authorization: bearer(token) };
  if (!url && !token) return undefined;
  const [set, unset] = url ? ['MILEPOST_URL', 'MILEPOST_TOKEN'] : ['MILEPOST_TOKEN', 'MILEPOST_URL'];
  throw usage(`${set} is set, but ${unset} is not.`, 'Set both, or neither to use a context.');
}

export async function chosenContext(environment: Environment, name: string | undefined): Promise<Context> {
  const { current, contexts } = await readContexts(environment);
  const wanted = name ?? environment['MILEPOST_CONTEXT'] ?? current;
  if (wanted === null || (name === undefined && Object.keys(contexts).length === 0))
    throw new Failure(
      'notSignedIn',
      'You are not signed in.',
      'Run `milepost login URL`, or set MILEPOST_URL and MILEPOST_TOKEN.',
    );
  const context = Object.hasOwn(contexts, wanted) ? contexts[wanted] : undefined;
  if (context) return context;
  const nearest = nearestName(wanted, Object.keys(contexts));
  const hint = nearest === undefined ? 'See `milepost context list`.' : `Did you mean ${nearest}?`;
  throw usage(`There is no context \`${wanted}\`.`, hint);
}

export const clientFor = ({ baseUrl, authorization }: Connection): Client => createClient({ baseUrl, authorization });

export const connect = async (chosen: Chosen): Promise<Client> => clientFor(await findConnection(chosen));
