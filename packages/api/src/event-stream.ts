/** Reads answers piece by piece: server-sent events of operations that follow along, and lines of JSON. */

export interface StreamMessage<Data> {
  /** `message`; `ready` and `reset` tell about the stream itself. */
  event: string;
  /** To resume behind this message: send it as Last-Event-ID. Empty where the message has none. */
  id: string;
  data: Data;
}

/** Ends when the stream does. Leaving the loop closes the connection. */
export async function* readMessages<Data>(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage<Data>, void> {
  let text = '';
  for await (const chunk of textsOf(body)) {
    const blocks = (text + chunk).split('\n\n');
    // What stands behind the last empty line is not whole yet.
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const message = readBlock<Data>(block);
      if (message) yield message;
    }
  }
}

/** Ends when they do. Leaving the loop closes the connection. */
export async function* readLines<Line>(body: ReadableStream<Uint8Array>): AsyncGenerator<Line, void> {
  let text = '';
  for await (const chunk of textsOf(body)) {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Line;
  }
}

/** By a reader, as not every browser can walk along a stream by itself. */
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

/** Undefined for a comment. */
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
