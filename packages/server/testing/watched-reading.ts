/** Reading a long answer piece by piece, while the memory of the server that sends it is watched. */
import type { ServerProcess } from './server-process.ts';

export const megabyte = 1024 * 1024;

export async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
}

const chunksBetweenLooks = 20;

/** Reads to the end, and returns the text and the most memory that the server held. */
export async function readWatching(server: ServerProcess, response: Response) {
  let [most, text, chunks] = [0, '', 0];
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(response)) {
    text += decoder.decode(chunk, { stream: true });
    if (chunks++ % chunksBetweenLooks === 0) most = Math.max(most, await server.memory());
  }
  return { text, most };
}
