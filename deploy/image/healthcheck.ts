/**
 * The health check of the image. It asks the process itself at `/-/healthy`: a server at its own port, a worker at the port of its
 * metrics. The metrics themselves can wait for the database. Other commands answer no requests, so they count as healthy.
 */
import { readFileSync } from 'node:fs';

const { env } = process;

const everywhere: Record<string, string> = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' };

function address(host = '', port: string): string {
  const reached = everywhere[host] ?? host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}/-/healthy`;
}

const addresses: Record<string, string> = {
  serve: address(env['MILEPOST_HOST'], env['MILEPOST_PORT'] || '8080'),
  work: address(env['MILEPOST_METRICS_HOST'], env['MILEPOST_WORKER_METRICS_PORT'] || '9465'),
};

// Process 1 is Milepost, or an init process that has the command of Milepost among its arguments.
const words = readFileSync('/proc/1/cmdline', 'utf8').split('\0');
const found = words.map((word) => addresses[word]).find(Boolean);
if (found) {
  const { ok, status } = await fetch(found, { signal: AbortSignal.timeout(4000) });
  if (!ok) throw new Error(`${found} responds with ${status}.`);
}
