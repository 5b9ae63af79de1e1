/**
 * `npm run qa:restore` backs up an installation under load, kills it, and restores it to a moment with the commands of
 * docs/how-to/back-up-and-restore.md. All changes acknowledged before the moment must exist and none requested after it. The
 * history must verify, and queued and running executions must finish. Then a dump is restored into another cluster. The cluster
 * has Debian's layout, or that of initdb with `npm run qa:restore plain`. `npm run qa:restore plain pgbackrest` uses pgBackRest.
 */
import { sendJson, startWebServer } from '../../packages/server/testing/counterparts/web-server.ts';
import { startCluster } from './cluster.ts';
import { methods } from './methods.ts';
import { tryRestore } from './try-restore.ts';

let failed = 0;
const started = performance.now();
const log = (text: string) =>
  console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(3)} s  ${text}`);
const check = (passed: boolean, text: string) => {
  log(`${passed ? 'ok' : 'FAILED'}: ${text}`);
  if (!passed) failed++;
};

/** Slow enough that at any moment some executions are running and some are queued. */
const receiver = await startWebServer((request, response) => {
  request.resume();
  setTimeout(() => sendJson(response, 200, {}), 1500);
});
const method = methods[process.argv[3] ?? 'base-backup'];
if (!method) throw new Error(`Choose one of: ${Object.keys(methods).join(', ')}`);
const cluster = await startCluster(process.argv[2] === 'plain' ? 'plain' : 'debian');
try {
  await tryRestore({ cluster, receiver: receiver.origin, method }, { log, check });
} finally {
  await cluster.remove();
  await receiver.stop();
}
console.log(failed === 0 ? 'Restore test passed.' : `Restore test failed: ${failed} failed checks.`);
process.exit(failed === 0 ? 0 : 1);
