/**
 * Shows what a request has saved. The change is committed, so a failure to read it must not look like a failed change. Reading is
 * tried twice. Then the response has only the URI of the object and a warning.
 */
import type { Answer, Call } from '../http/call.ts';

interface Saved {
  status?: 200 | 201;
  uri: string;
}

const warning = 'The change was saved, but cannot be shown now. Read it at the URI.';

export async function showSaved<C extends Call, B>(
  call: C,
  { status = 200, uri }: Saved,
  show: (call: C) => Promise<{ body: B; version?: number }>,
): Promise<Answer<B>> {
  const { db, streams } = call.database;
  const reading = { ...call, database: { ...call.database, streams: streams.unlimited } };
  const answer = async () => ({ status, ...(await show(reading)) });
  // With an idempotency key, the change is committed together with its response.
  if (db.isTransaction) return answer();
  try {
    return await answer().catch(answer);
  } catch (error) {
    call.log.error({ err: error, uri }, 'saved change cannot be shown');
    return { status, body: { uri, warnings: [{ message: warning }] } as B };
  }
}
