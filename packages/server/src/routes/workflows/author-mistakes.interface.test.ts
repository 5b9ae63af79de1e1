/** The import finds every mistake of authors that lint finds, with the same code, position and message. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allFindings, allMistakes } from '../../../../definitions/testing/all-mistakes.ts';
import { faultlessConfiguration, faultlessWorkflow } from '../../../../definitions/testing/faultless-files.ts';
import {
  configurationMistakes,
  isError,
  withMistake,
  workflowMistakes,
  type AuthorMistake,
} from '../../../../definitions/testing/author-mistakes.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await importConfiguration(faultlessConfiguration);
});
afterAll(() => server.stop());

const importWorkflow = (text: string) =>
  server.call('importWorkflow', { body: { workflow_definition: text }, query: { dry_run: true } });
const importConfiguration = (text: string) => server.call('importConfig', { body: { config_definition: text } });

const warningOf = ({ code, at: [line, column], message }: AuthorMistake) => ({ code, line, column, message });

const errorOf = (row: AuthorMistake) => {
  const { message, ...found } = warningOf(row);
  const detail = `Line ${found.line}, column ${found.column}: ${message}`;
  return { ...found, pointer: '/workflow_definition', detail };
};

describe('an import', () => {
  it('accepts a file without mistakes without a warning', async () => {
    const { status, body } = await importWorkflow(faultlessWorkflow);
    expect([status, body.warnings]).toEqual([200, []]);
  });

  it.each(workflowMistakes.filter(isError))('rejects mistake $number: $mistake', async (row) => {
    const { status, body } = await importWorkflow(withMistake(row));
    expect([status, body.code, body.errors]).toEqual([400, 'invalid_definition', [errorOf(row)]]);
  });

  it.each(workflowMistakes.filter((row) => !isError(row)))('warns about mistake $number: $mistake', async (row) => {
    const { status, body } = await importWorkflow(withMistake(row));
    expect([status, body.warnings]).toEqual([200, [warningOf(row)]]);
  });

  it.each(configurationMistakes)('warns about mistake $number: $mistake', async (row) => {
    const { status, body } = await importConfiguration(withMistake(row, faultlessConfiguration));
    expect([status, body.warnings]).toEqual([200, [warningOf(row)]]);
  });

  it('reports all errors of a file with all mistakes', async () => {
    const { body } = await importWorkflow(allMistakes);
    const found = body.errors.map(({ code, line }: { code: string; line: number }) => `${code} ${line}`);
    const errors = allFindings.filter(([number]) => number < 22);
    expect(errors.filter(([, code, line]) => !found.includes(`${code} ${line}`))).toEqual([]);
    expect(found).toHaveLength(errors.length);
  });
});
