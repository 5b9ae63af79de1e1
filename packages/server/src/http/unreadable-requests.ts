/** Requests that Node rejects before they reach a route, for example because it cannot parse them, get problem objects, too. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Problem } from '../errors.ts';
import { problemBody, problemType } from './problem.ts';

interface Answering {
  logger: FastifyBaseLogger;
  /** Of every response. */
  headers: Record<string, string>;
  /** The methods that operations have. */
  methods: readonly string[];
}

/** `reject` answers an error that Node reports about a connection. `watch` covers what Node does not report as an error. */
export function unreadableRequests({ logger, headers, methods }: Answering) {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const allow = methods.join(', ');
  const unknownMethod = () => new Problem('method_not_allowed', `The method is unknown. Supported: ${allow}.`);

  const answer = (socket: Duplex, problem: Problem) => {
    const response = latest.get(socket);
    if (response && !response.writableFinished && !isReceiving(response)) {
      // The client would take the answer for that to its previous request, so the connection closes after that one.
      response.shouldKeepAlive = false;
      return;
    }
    const { code, status } = problem;
    const id = randomUUID();
    const { remoteAddress: address } = socket as Socket;
    logger.info({ reqId: id, operation: 'unknown', code, address }, 'request rejected');
    const more = { 'x-request-id': id, ...(status === 405 && { allow }) };
    socket.end(responseText(problem, id, { ...headers, ...more }), () => socket.destroy());
  };

  return {
    reject: (error: ClientError, socket: Duplex): void => {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else answer(socket, error.code === 'HPE_INVALID_METHOD' ? unknownMethod() : problemOf(error));
    },
    watch: (http: FastifyInstance): void => {
      http.server.on('request', (request, response) => latest.set(request.socket, response));
      http.server.on('connect', (_request, socket) => answer(socket, unknownMethod()));
      // Node would send 417 without a body. A server may ignore an unknown expectation (RFC 9110, section 10.1.1).
      http.server.on('checkExpectation', (request, response) => http.server.emit('request', request, response));
      http.addHook('onRequest', ({ headers: { host }, raw: { httpVersion } }, _reply, done) => {
        const isMissing = host === undefined && httpVersion !== '1.0';
        done(isMissing ? new Problem('malformed_request', 'The header Host is missing.') : undefined);
      });
    },
  };
}

interface ClientError extends Error {
  code?: string;
}

/** Whether the request is still being received, so that an error concerns its body. */
const isReceiving = ({ req, socket, headersSent }: ServerResponse) => !req.complete && socket !== null && !headersSent;

export function problemOf({ code, message }: ClientError): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem('headers_too_large', 'The URL and the headers together are larger than 16 KiB.');
  }
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return new Problem('body_too_large', 'The chunk extensions of the body are larger than 16 KiB.');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem('request_timeout', 'The request did not arrive in time. Send it again.');
  }
  return new Problem('malformed_request', `The request is not valid HTTP: ${message}.`);
}

function responseText(problem: Problem, id: string, headers: Record<string, string>): string {
  const body = JSON.stringify(problemBody(problem, { url: '', id }));
  const lines = Object.entries({
    ...headers,
    'content-type': problemType,
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`;
}
