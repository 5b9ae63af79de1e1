/**
 * `npm run qa:restore`, in the layout of Debian, or `npm run qa:restore plain`: a busy installation is backed up while it works, killed, and brought back to a moment by the commands of
 * docs/how-to/back-up-and-restore.md. Every change acknowledged before the moment must be there and none that was asked for after it,
 * the history must verify, and what was queued or running must end. Then a dump of it goes into a cluster of its own.
 */
import { sendJson, startWebServer } from '../../packages/server/testing/counterparts/web-server.ts';
import { startCluster } from './cluster.ts';
import { tryRestore } from './try-restore.ts';

const faults: string[] = [];
const began = performance.now();
const say = (text: string) => console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(3)} s  ${text}`);
const hold = (holds: boolean, text: string) => {
  say(`${holds ? 'ok' : 'NOT'}: ${text}`);
  if (!holds) faults.push(text);
};

/** Takes so long that some run and some wait for a place at every moment. */
const receiver = await startWebServer((request, response) => {
  request.resume();
  setTimeout(() => sendJson(response, 200, {}), 1500);
});
const cluster = await startCluster(process.argv[2] === 'plain' ? 'plain' : 'debian');
try {
  await tryRestore(cluster, receiver.origin, { say, hold });
} finally {
  await cluster.remove();
  await receiver.stop();
}
console.log(faults.length === 0 ? 'Restored to the moment, whole.' : `Not restored: ${faults.length} faults.`);
process.exit(faults.length === 0 ? 0 : 1);
