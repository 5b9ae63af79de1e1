/** Serves the metrics of a process on their own port, and whether it runs, because a worker has no other port. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { SettingsError } from '../config.ts';
import { addressOf } from './address.ts';

interface ListenAddress {
  host: string;
  port: number;
}

export async function serveMetrics(registry: Registry, address: ListenAddress, setting: string) {
  collectDefaultMetrics({ register: registry });
  const server = createServer((request, response) => {
    if (request.url === '/metrics') void sendMetrics(registry, response);
    else if (request.url === '/-/healthy') response.writeHead(200).end('The process runs.\n');
    else response.writeHead(404).end('The metrics are at /metrics.\n');
  });
  await listenOn(server, address, setting);
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `${addressOf(server)}/metrics`, stop };
}

/** A metric that cannot be read must not crash the process. */
async function sendMetrics(registry: Registry, response: ServerResponse): Promise<void> {
  try {
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  } catch {
    response.writeHead(500).end('The metrics cannot be read.\n');
  }
}

/** Throws if a server could not listen there. For a start that does slow work before it listens. */
export async function checkAddress(address: ListenAddress, setting: string): Promise<void> {
  const server = createServer();
  await listenOn(server, address, setting);
  await new Promise((resolve) => server.close(resolve));
}

export async function listenOn(server: Server, address: ListenAddress, setting: string): Promise<void> {
  try {
    server.listen(address.port, address.host);
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE') {
      throw new SettingsError(
        `${address.host}:${address.port} is in use by another program. Stop it, or change ${setting}.`,
      );
    }
    throw new SettingsError(
      `Cannot listen on ${address.host}:${address.port} (${code}). Change ${setting} or its host.`,
    );
  }
}
