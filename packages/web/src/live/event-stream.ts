/** Reads the text of server-sent events: lines of fields, a message at each empty line, comments left out. */

export interface StreamMessage {
  id: string;
  event: string;
  data: string;
}

const fieldOf = (line: string): [name: string, value: string] => {
  const colon = line.indexOf(':');
  return colon === -1 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
};

function messageOf(lines: readonly string[]): StreamMessage | undefined {
  const fields = lines.map(fieldOf);
  const last = (name: string) => fields.findLast(([found]) => found === name)?.[1];
  const data = fields.filter(([name]) => name === 'data').map(([, value]) => value);
  const event = last('event');
  if (data.length === 0 && event === undefined) return undefined;
  return { id: last('id') ?? '', event: event ?? 'message', data: data.join('\n') };
}

/** Whole lines of what has arrived, and the rest that is still a part of one. */
const splitLines = (text: string): [lines: string[], rest: string] => {
  const lines = text.split(/\r\n|\n|\r(?!$)/);
  return [lines.slice(0, -1), lines.at(-1) ?? ''];
};

/** `onMessage` for each message; `onSound` for anything that arrives, as comments say that the connection is alive. */
export async function readEventStream(
  body: ReadableStream<Uint8Array>,
  onMessage: (message: StreamMessage) => void,
  onSound: () => void = () => undefined,
): Promise<void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let pending = '';
  let lines: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onSound();
    const [whole, rest] = splitLines(pending + decoder.decode(value, { stream: true }));
    pending = rest;
    for (const line of whole) {
      if (line !== '') lines.push(line);
      else {
        const message = messageOf(lines);
        lines = [];
        if (message) onMessage(message);
      }
    }
  }
}
