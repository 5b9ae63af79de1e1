/** The measurements of a process, on a port of their own. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { SettingsError } from '../config.ts';
import { addressOf } from './address.ts';

interface Place {
  host: string;
  port: number;
}

export async function serveMetrics(registry: Registry, place: Place, setting: string) {
  collectDefaultMetrics({ register: registry });
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') response.writeHead(404).end('The metrics are at /metrics.\n');
    else void sendMetrics(registry, response);
  });
  await listenOn(server, place, setting);
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `${addressOf(server)}/metrics`, stop };
}

/** One that cannot be read must not end the process. */
async function sendMetrics(registry: Registry, response: ServerResponse): Promise<void> {
  try {
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  } catch {
    response.writeHead(500).end('The metrics cannot be read.\n');
  }
}

export async function listenOn(server: Server, place: Place, setting: string): Promise<void> {
  try {
    server.listen(place.port, place.host);
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE') {
      throw new SettingsError(`${place.host}:${place.port} is in use by another program: stop it, or set ${setting}.`);
    }
    throw new SettingsError(
      `${place.host}:${place.port} cannot be listened on (${code}): change ${setting} or its host.`,
    );
  }
}
