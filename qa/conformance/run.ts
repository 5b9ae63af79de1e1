/**
 * `npm run conformance`: starts the server on an empty database, calls every operation, and checks all responses against the
 * specification alone.
 */
import { cloneDatabase, startTestPostgres } from '../../packages/server/testing/postgres-server.ts';
import { runConformance } from './conformance.ts';
import { startOn } from './start.ts';

const { server: postgres, end } = await startTestPostgres();
try {
  const { target, server } = await startOn(await cloneDatabase(postgres));
  const { lines, passed } = await runConformance(target);
  if (!passed) console.log(server.output());
  for (const line of lines) console.log(line);
  if (!passed) process.exitCode = 1;
  await server.stop();
} finally {
  await end();
}
