/** The interface of the server that these pages came from. The cookie of the session travels by itself. */
import { createClient } from '@milepost/api';
import { attendedFetch } from './attended-fetch.ts';
import { reaching } from './unreachable.ts';

export const basePath = '/api/v2';

export const client = createClient({ baseUrl: basePath, fetch: reaching(attendedFetch) });
