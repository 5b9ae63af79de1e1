/** Reads a long response in chunks and measures the memory of the server meanwhile. */
import { basic, permissions } from '@milepost/api';
import { bearer, createClient } from '@milepost/api/client';
import type { ServerProcess } from '../processes/server-process.ts';

export const megabyte = 1024 * 1024;

export async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
}

const chunksPerSample = 20;

/**
 * An API token of the administrator. Passwords are verified again after a minute, which briefly takes 46 MiB of the memory that is
 * measured.
 */
export async function signedIn({ baseUrl }: ServerProcess, password: string): Promise<string> {
  const client = createClient({ baseUrl, authorization: basic('admin', password) });
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const body = { name: 'memory', permissions: [...permissions], expires_at };
  const { token } = await client.createApiToken({ params: { id: 1 }, body });
  return bearer(token);
}

/** Reads the whole response and returns its text and the peak memory of the server. */
export async function readWatchingMemory(server: ServerProcess, response: Response) {
  let [peakMemory, text, chunks] = [0, '', 0];
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(response)) {
    text += decoder.decode(chunk, { stream: true });
    if (chunks++ % chunksPerSample === 0) peakMemory = Math.max(peakMemory, await server.memory());
  }
  return { text, peakMemory };
}
