/** Sends malicious bodies to every operation that accepts a body. Each is rejected with an explanation. */
import { basic, operations, type Operation } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, testPassword, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let historyBefore: unknown;
const history = () => server.sql('select count(*) from history');
beforeAll(async () => {
  server = await startTestServer();
  historyBefore = await history();
});
afterAll(() => server.stop());

interface Field {
  type?: string;
  minLength?: number;
  maxLength?: number;
  readOnly?: boolean;
}

const operationsWithBody = Object.entries<Operation>(operations).filter(([, { body }]) => body !== undefined);
const json = 'application/json';

const send = async ({ method, path }: Operation, body: string | Uint8Array<ArrayBuffer>, type = json) => {
  const response = await fetch(server.baseUrl + path.replaceAll(/\{\w+\}/g, '1'), {
    method,
    headers: { authorization: basic('admin', testPassword), 'content-type': type },
    body,
  });
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  return (await response.json()) as { status: number; code: string; detail: string; errors: { pointer: string }[] };
};

/** The position of the first error, after checking that the problem has a detail. */
const faultOf = async (operation: Operation, body: string) => {
  const { status, code, detail, errors } = await send(operation, body);
  expect(detail).toMatch(/.{10,}/);
  return { status, code, pointer: errors[0]?.pointer };
};
const refusedAt = (pointer: string) => ({ status: 400, code: 'invalid_request', pointer });

/** The example of the operation with an additional field. */
const withField = ({ example }: Operation, name: string, value: string) => {
  const rest = Object.entries(Object(example.body)).filter(([other]) => other !== name);
  return `{${[...rest.map(([other, its]) => `"${other}":${JSON.stringify(its)}`), `"${name}":${value}`].join(',')}}`;
};

/** The fields of the operation for which there is an invalid value, with that value. */
const fieldsOf = ({ body }: Operation, valueFor: (field: Field) => string | undefined) =>
  Object.entries<Field>(body?.properties ?? {}).flatMap(([name, field]) => {
    const value = field.readOnly ? undefined : valueFor(field);
    // A secret is only right or wrong, whatever its form.
    return value === undefined || name.startsWith('secret') ? [] : [{ name, value }];
  });

const tooLong = 16 * 1024 * 1024 + 1;
const nested = '{"a":'.repeat(40) + '1' + '}'.repeat(40);

describe.each(operationsWithBody)('%s', (_name, operation) => {
  it('rejects everything but a JSON object', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      expect(await send(operation, '{}', type)).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    }
    for (const text of ['{', '{"label": x}', "{'label': 1}", '{"a": NaN}', '{"a": 01}', '\uFEFF{}]']) {
      expect(await send(operation, text)).toMatchObject({ status: 400, code: 'malformed_request' });
    }
    for (const text of ['[]', '"text"', '1', 'true', 'null'])
      expect(await faultOf(operation, text)).toEqual(refusedAt(''));
  });

  it('rejects NUL and lone surrogates in values and names', async () => {
    for (const value of [String.raw`"\u0000"`, String.raw`"\ud800"`, String.raw`"\udc00\ud800"`]) {
      expect(await faultOf(operation, withField(operation, 'x', value))).toEqual(refusedAt('/x'));
      expect(await faultOf(operation, `{${value}: 1}`)).toEqual(refusedAt('/(a name)'));
    }
  });

  it('rejects numbers that are too large (V1.4.2)', async () => {
    expect(await faultOf(operation, withField(operation, 'x', '1e999'))).toEqual(refusedAt('/x'));
    const integers = fieldsOf(operation, ({ type }) => (type === 'integer' ? '' : undefined));
    for (const { name } of integers) {
      for (const value of ['9223372036854775808', '-9223372036854775809', '1e300', '0.5', '9'.repeat(400)])
        expect(await faultOf(operation, withField(operation, name, value))).toEqual(refusedAt(`/${name}`));
    }
  });

  it('rejects values that are nested too deeply', async () => {
    for (const value of [nested, '['.repeat(100_000) + ']'.repeat(100_000)]) {
      expect(await faultOf(operation, withField(operation, 'x', value))).toMatchObject({ status: 400 });
    }
  });

  it('rejects texts that are too short or too long', async () => {
    const empty = fieldsOf(operation, ({ minLength = 0 }) => (minLength > 0 ? '""' : undefined));
    const long = fieldsOf(operation, ({ maxLength = 0 }) =>
      maxLength === 0 ? undefined : `"${'\u{1F9E0}'.repeat(maxLength + 1)}"`,
    );
    for (const { name, value } of [...empty, ...long]) {
      expect(await faultOf(operation, withField(operation, name, value))).toEqual(refusedAt(`/${name}`));
    }
    expect(await send(operation, `"${'x'.repeat(tooLong)}"`)).toMatchObject({ status: 413, code: 'body_too_large' });
  });

  it('rejects duplicate names', async () => {
    const twice = withField(operation, 'x', '{"y": 1, "\\u0079": 2}');
    expect(await faultOf(operation, twice)).toEqual(refusedAt('/x/y'));
    for (const name of Object.keys(Object(operation.example.body))) {
      const value = JSON.stringify(Object(operation.example.body)[name]);
      expect(await faultOf(operation, `{"${name}":${value},"${name}":${value}}`)).toEqual(refusedAt(`/${name}`));
    }
  });
});

it('the history contains none of the rejected changes', async () => {
  expect(await history()).toEqual(historyBefore);
});
