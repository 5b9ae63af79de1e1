/** The guide to a first workflow: lint finds what the page shows at each step, and a real server imports the result. */
import { readFileSync } from 'node:fs';
import { contextOf, lintConfiguration, lintWorkflow, type LintFinding } from '@milepost/definitions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const page = readFileSync(new URL('../../../../docs/how-to/write-a-workflow.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\\x60{3}${language}\\n(.*?)^\\x60{3}$`, 'gms'))].map(([, text = '']) => text);
const files = blocks('yaml');
const outputs = blocks('text');
const [workflow = '', configuration = ''] = files.slice(-2);

const lineOf = ({ line, column, severity, code, message }: LintFinding) =>
  `knee_mri.yaml:${line}:${column}: ${severity}: ${message} [${code}]\n`;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('docs/how-to/write-a-workflow.md', () => {
  it('has four versions of the workflow, each with the output of lint, and a configuration', () => {
    expect([files.length, outputs.length]).toEqual([5, 4]);
  });

  it.each(outputs.map((output, step) => [step + 1, output] as const))(
    'shows what lint reports in step %i',
    (step, output) => {
      expect(
        lintWorkflow(files[step - 1] ?? '')
          .map(lineOf)
          .join(''),
      ).toBe(output);
    },
  );

  it('ends with files that have no findings, also together', () => {
    expect(lintConfiguration(configuration)).toEqual([]);
    expect(lintWorkflow(workflow, contextOf(configuration).context)).toEqual([]);
  });

  it('ends with files that a server imports without a warning', async () => {
    const first = await server.call('importConfig', { body: { config_definition: configuration } });
    expect([first.status, first.body.warnings]).toEqual([201, []]);
    const second = await server.call('importWorkflow', { body: { workflow_definition: workflow } });
    expect([second.status, second.body.warnings]).toEqual([201, []]);
  });
});
