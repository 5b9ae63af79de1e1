/** The client for the API of the server that serves these pages. The browser sends the session cookie. */
import { createClient } from '@milepost/api';
import { attendedFetch } from './attended-fetch.ts';
import { detectUnreachable } from './unreachable.ts';

export const basePath = '/api/v2';

export const client = createClient({ baseUrl: basePath, fetch: detectUnreachable(attendedFetch) });
