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
import { warningCodes } from '@milepost/definitions';
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

const codesAndLines = (found: { code: string; line: number }[]) => found.map(({ code, line }) => `${code} ${line}`);
const expectedIf = (isListed: (code: string) => boolean) =>
  allFindings.filter(([, code]) => isListed(code)).map(([, code, line]) => `${code} ${line}`);
const isWarning = (code: string) => warningCodes.some((known) => known === code);
const user = (fields: string) => `${faultlessConfiguration}users: [{username: u, email: u@example.org, ${fields}}]\n`;

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

  it('reports all errors and warnings of a file with all mistakes, as none hides another', async () => {
    const { status, body } = await importWorkflow(allMistakes);
    expect(status).toBe(400);
    expect(codesAndLines(body.errors).toSorted()).toEqual(expectedIf((code) => !isWarning(code)).toSorted());
    expect(codesAndLines(body.warnings).toSorted()).toEqual(expectedIf(isWarning).toSorted());
  });

  it.each([
    ['a wrong field', `${faultlessConfiguration}colour: red\n`, 400],
    ['a new user without a password', user('roles: [user]'), 400],
    ['a role that does not exist', user('password: blue herons over lake 7, roles: [gone]'), 404],
  ])('warns about a misspelt permission beside %s', async (_what, text, expected) => {
    const [mistake] = configurationMistakes;
    if (!mistake) throw new Error('no mistake');
    const { status, body } = await importConfiguration(withMistake(mistake, text));
    expect([status, body.warnings]).toEqual([expected, [warningOf(mistake)]]);
  });
});
