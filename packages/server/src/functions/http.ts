/** `http`: sends a request. It succeeds with a 2xx status or with an expected one. */
import { httpArguments } from '@milepost/definitions';
import type { Static } from 'typebox';
import type { Outgoing } from '../outgoing/create-outgoing.ts';
import { causeIn, sendRequest, type HttpResponse } from './send-request.ts';
import { PermanentFailure, type CallbackFunction, type RunResult } from './callback-function.ts';
import { argumentsReader } from './read-arguments.ts';
import { readJson } from './storable.ts';

type Arguments = Static<typeof httpArguments>;

const readArguments = argumentsReader(httpArguments);

export const createHttp =
  (outgoing: Outgoing): CallbackFunction =>
  async (run) => {
    const { url, method = 'POST', headers = {}, body, expected_status: expected } = readArguments(run.arguments);
    if (!URL.canParse(url)) {
      throw new PermanentFailure(`url "${url}" is not a valid URL, such as https://xnat.example.org/path.`);
    }
    const isExpected = (status: number) =>
      expected === undefined ? status >= 200 && status < 300 : [expected].flat().includes(status);
    const request = { url, method, ...content(headers, body) };
    const response = await sendRequest(outgoing, run, request, isExpected);
    const result = resultOf(response, isExpected(response.status), expected);
    return result.result === 'success' ? result : { ...result, cause: causeIn(response, request, run) };
  };

/** A string is sent as it is, everything else as JSON. */
function content(given: NonNullable<Arguments['headers']>, body: unknown) {
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)]));
  if (body === undefined || body === null) return { headers };
  const isText = typeof body === 'string';
  return {
    headers: { 'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json', ...headers },
    body: isText ? body : JSON.stringify(body),
  };
}

function resultOf(
  { status, headers, text }: HttpResponse,
  isSuccess: boolean,
  expected: Arguments['expected_status'] = [],
): RunResult {
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(String(headers['content-type'] ?? ''));
  const json = isJson ? readJson(text) : undefined;
  const values = { status, headers, body: json === undefined ? text : json };
  const statuses = [expected].flat().join(' or ');
  return isSuccess
    ? { result: 'success', values }
    : { result: 'failed', values, reason: `Unexpected response: ${status} (expected ${statuses || '200–299'}).` };
}
