/** Signs in as a browser does. */
import { sessionCookie } from '@milepost/api';
import type { World } from './cases/world.ts';
import { testPassword, type Answer, type Parts, type TestServer } from './server.ts';

/** Headers that a browser sends with requests of Milepost's own pages. */
export const sameOriginHeaders = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };

type Caller = Pick<TestServer, 'call'>;

export const signIn = (server: Caller, username: string, more: Partial<Parts> & { password?: string } = {}) => {
  const { password = testPassword, headers, ...parts } = more;
  const body = { username, password };
  return server.call('signIn', { as: null, body, ...parts, headers: { ...sameOriginHeaders, ...headers } });
};

/** The cookie that the browser sends back after this response. */
export const cookieOf = ({ headers }: Pick<Answer, 'headers'>): string => {
  const [first = ''] = headers.getSetCookie();
  return first.split(';', 1)[0] ?? '';
};

export const tokenOf = (answer: Pick<Answer, 'headers'>): string => cookieOf(answer).slice(sessionCookie.length + 1);

/** Signs in, and returns the id of the session and the parts of a request with it. */
export async function openSession(server: Caller, username: string) {
  const answer = await signIn(server, username);
  const cookie = cookieOf(answer);
  const headers = { ...sameOriginHeaders, cookie };
  return { id: answer.body.id as number, cookie, token: tokenOf(answer), parts: { as: null, headers } };
}

/** Creates users with a session, and checks whether a session is still open. */
export function createSessionUsers(server: Caller, world: Pick<World, 'user'>) {
  const person = async () => {
    const { id: userId, username } = await world.user('user_read');
    return { userId, username, ...(await openSession(server, username)) };
  };
  const codeOf = async (parts: Parts): Promise<string> => {
    const { status, body } = await server.call('getSession', parts);
    return status === 200 ? 'open' : body.code;
  };
  return { person, codeOf };
}
