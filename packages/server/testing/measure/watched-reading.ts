/** Reads a long response in chunks and measures the memory of the server meanwhile. */
import type { ServerProcess } from '../processes/server-process.ts';

export const megabyte = 1024 * 1024;

export async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
}

const chunksPerSample = 20;

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
