/**
 * A move is one trace in OpenTelemetry's own collector, which is built from its Go modules. Needs Go, and access to the module proxy for
 * the first build.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFailed, onTestFinished } from 'vitest';
import { startWebServer } from '../../packages/server/testing/counterparts/web-server.ts';
import { click, moveAndTrace } from '../../packages/server/testing/traced-move.ts';

const sources = fileURLToPath(new URL('collector', import.meta.url));

const config = (port: number) => `
receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:${port}"}}}}
exporters: {debug: {verbosity: detailed}}
service:
  pipelines: {traces: {receivers: [otlp], exporters: [debug]}}
`;

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const web = await startWebServer();
  await web.stop();
  return web.port;
}

async function startCollector(folder: string) {
  const program = process.env['MILEPOST_TEST_OTELCOL'] ?? join(folder, 'otelcol');
  if (!process.env['MILEPOST_TEST_OTELCOL'])
    await promisify(execFile)('go', ['build', '-o', program, '.'], { cwd: sources });
  const port = await freePort();
  writeFileSync(join(folder, 'config.yaml'), config(port));
  const child = spawn(program, ['--config', join(folder, 'config.yaml')], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = readOutput(child);
  // Emitted after all output was read.
  const closed = once(child, 'close');
  const stop = async () => {
    child.kill();
    await closed;
  };
  onTestFinished(stop);
  onTestFailed(() => console.log(output()));
  await expect.poll(output).toContain('Everything is ready');
  return { endpoint: `http://127.0.0.1:${port}`, output, stop };
}

function readOutput({ stdout, stderr }: ChildProcess): () => string {
  let output = '';
  for (const stream of [stdout, stderr]) stream?.on('data', (part) => (output += String(part)));
  return () => output;
}

interface PrintedSpan {
  trace: string;
  parent: string;
  id: string;
  name: string;
  kind: string;
}

const spansIn = (output: string): PrintedSpan[] =>
  output
    .split(/^Span #\d+$/m)
    .slice(1)
    .map((text) => {
      const field = (name: string) => new RegExp(`^ +${name} +: ?(.*)$`, 'm').exec(text)?.[1] ?? '';
      const [trace, parent, id] = [field('Trace ID'), field('Parent ID'), field('ID')];
      return { trace, parent, id, name: field('Name'), kind: field('Kind') };
    });

it('is one trace from the request to both calls of the callback', { tags: ['nightly'] }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'milepost-collector-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const collector = await startCollector(folder);
  await moveAndTrace(collector.endpoint);
  await collector.stop();
  const spans = spansIn(collector.output()).filter(({ trace }) => trace === click.traceId);
  const below = (parent: string): unknown[] =>
    spans
      .filter((span) => span.parent === parent)
      .map(({ id, name, kind }) => [`${name} (${kind})`, ...below(id)])
      .toSorted((one, other) => String(one).localeCompare(String(other)));
  const end = ['change experiment (Internal)'];
  const call = ['POST (Client)'];
  const second = ['run http (Consumer)', end, call];
  const first = ['run http (Consumer)', [...end, second], call];
  expect(below(click.spanId)).toEqual([
    ['PUT /api/v2/experiments/:id/state (Server)', ['change experiment (Internal)', first]],
  ]);
});
