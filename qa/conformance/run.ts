/**
 * `npm run conformance`: starts the real server on an empty database, calls every operation that it says it has, as a
 * stranger would who knows the specification and nothing else, and holds every answer against the specification.
 */
import { cloneDatabase, startTestPostgres } from '../../packages/server/testing/test-server.ts';
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
