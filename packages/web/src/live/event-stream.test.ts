import { describe, expect, it } from 'vitest';
import { readEventStream, type StreamMessage } from './event-stream.ts';

const streamOf = (...chunks: (string | Uint8Array)[]) => {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
      controller.close();
    },
  });
};

const messagesOf = async (...chunks: (string | Uint8Array)[]) => {
  const messages: StreamMessage[] = [];
  await readEventStream(streamOf(...chunks), (message) => messages.push(message));
  return messages;
};

describe('a stream of events', () => {
  it('is read message by message', async () => {
    expect(await messagesOf('id: 7-1\nevent: ready\ndata: {}\n\nid: 7-2\ndata: {"id":2}\n\n')).toEqual([
      { id: '7-1', event: 'ready', data: '{}' },
      { id: '7-2', event: 'message', data: '{"id":2}' },
    ]);
  });

  it('is read the same wherever it is cut, also within a letter or between CR and LF', async () => {
    const text = 'id: 9-1\r\ndata: "é תיק"\r\n\r\n: still there\r\n\r\ndata: two\r\ndata: lines\r\n\r\n';
    const bytes = new TextEncoder().encode(text);
    const whole = await messagesOf(text);
    expect(whole).toEqual([
      { id: '9-1', event: 'message', data: '"é תיק"' },
      { id: '', event: 'message', data: 'two\nlines' },
    ]);
    for (let cut = 1; cut < bytes.length; cut++)
      expect(await messagesOf(bytes.slice(0, cut), bytes.slice(cut))).toEqual(whole);
  });

  it('says that it is alive for comments, too, and leaves out what did not end', async () => {
    const messages: StreamMessage[] = [];
    let sounds = 0;
    await readEventStream(
      streamOf(': hello\n\n', 'data: half'),
      (message) => messages.push(message),
      () => sounds++,
    );
    expect({ messages, sounds }).toEqual({ messages: [], sounds: 2 });
  });
});
