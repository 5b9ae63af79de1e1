/**
 * Tells every signed-in user what keeps the installation from working fully, in a header of the responses that pages request
 * anyway. The server reads the conditions every few seconds and not for each request.
 */
import { degradedHeader, type Condition } from '@milepost/api';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../database/connection.ts';
import { problemFromDatabase } from '../../database/problem-from-database.ts';
import { readConditions } from '../../store/system/conditions.ts';

export const conditionsEveryMs = 5000;

/** A database that is only slow for a moment is not reported. */
const failuresUntilUnreachable = 3;

export interface Conditions {
  current: () => readonly Condition[];
  refresh: () => Promise<void>;
}

export function createConditions(db: Db): Conditions {
  let current: readonly Condition[] = [];
  let failures = 0;
  return {
    current: () => current,
    refresh: async () => {
      try {
        current = await readConditions(db);
        failures = 0;
      } catch (error) {
        failures += 1;
        const isUnavailable = problemFromDatabase(error)?.code === 'database_unavailable';
        if (isUnavailable || failures >= failuresUntilUnreachable) current = ['database_unreachable'];
        if (!isUnavailable) throw error;
      }
    },
  };
}

/** Without the database, nobody can be identified. A 503 says as much as the header, so it has the header for everyone. */
export function announceConditions(http: FastifyInstance, { current }: Conditions): void {
  http.addHook('onSend', async (request, reply) => {
    const now = current();
    if (now.length > 0 && (request.account !== null || reply.statusCode === 503)) {
      reply.header(degradedHeader, now.join(', '));
    }
  });
}
