/** Reads streamed responses: server-sent events and JSON lines. */

export interface StreamMessage<Data> {
  /** `message`, or `ready` or `reset` for messages about the stream itself. */
  event: string;
  /** Send it as Last-Event-ID to resume after this message. Empty if the message has none. */
  id: string;
  data: Data;
}

/** Ends with the stream. Leaving the loop closes the connection. */
export async function* readMessages<Data>(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage<Data>, void> {
  let text = '';
  for await (const chunk of textsOf(body)) {
    const blocks = (text + chunk).split('\n\n');
    // The part after the last empty line is incomplete.
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const message = readBlock<Data>(block);
      if (message) yield message;
    }
  }
}

/** Throws if the response ends within a line. Leaving the loop closes the connection. */
export async function* readLines<Line>(body: ReadableStream<Uint8Array>): AsyncGenerator<Line, void> {
  for await (const line of linesOf(body)) yield JSON.parse(line) as Line;
}

/** Throws if the response ends before its empty last line, which `end=line` in the header Accept requests. */
export async function* readWholeList<Line>(body: ReadableStream<Uint8Array>): AsyncGenerator<Line, void> {
  for await (const line of linesOf(body)) {
    if (line === '') return;
    yield JSON.parse(line) as Line;
  }
  throw incomplete();
}

/** `terminated` is the message of `fetch` if it notices that a response was cut. */
const incomplete = () => new TypeError('terminated: the response is incomplete');

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  let text = '';
  for await (const chunk of textsOf(body)) {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    yield* lines;
  }
  if (text !== '') throw incomplete();
}

/** Uses a reader, because not every browser can iterate over a stream. */
async function* textsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      yield decoder.decode(next.value, { stream: true });
  } finally {
    await reader.cancel();
  }
}

/** Returns undefined for a comment. */
function readBlock<Data>(block: string): StreamMessage<Data> | undefined {
  const fields = new Map(block.split('\n').map((line) => fieldOf(line)));
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { event: fields.get('event') ?? 'message', id: fields.get('id') ?? '', data: JSON.parse(data) as Data };
}

function fieldOf(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
  return [name, value];
}
