import { describe, expect, it } from 'vitest';
import { asCause, findCause, maxCauseLength, type Source } from './find-cause.ts';

const json = (value: unknown) => JSON.stringify(value);

/** Each with the cause that a person would pick. */
const answers: Readonly<Record<string, [Source, string]>> = {
  'a problem object': [
    {
      answer: {
        type: 'https://deid.example.org/problems/burned-in',
        title: 'Unprocessable',
        status: 422,
        detail: 'A name is burned into the pixels of series 1.',
      },
    },
    'A name is burned into the pixels of series 1.',
  ],
  'a problem object without a detail': [
    { answer: { type: 'about:blank', title: 'The session is locked in the archive', status: 409 } },
    'The session is locked in the archive',
  ],
  'Spring Boot': [
    {
      answer: {
        timestamp: '2026-11-17T10:00:00Z',
        status: 500,
        error: 'Internal Server Error',
        message: 'Series 3 has no slices',
        path: '/api/convert',
      },
    },
    'Series 3 has no slices',
  ],
  'Spring Boot without a message': [
    { answer: { status: 404, error: 'Not Found', message: 'No message available', path: '/api/convert' } },
    'No message available',
  ],
  'nested JSON': [
    {
      answer: {
        error: { code: 403, status: 'PERMISSION_DENIED', message: 'The caller has no access to bucket scans' },
      },
    },
    'The caller has no access to bucket scans',
  ],
  'deeply nested JSON': [
    {
      answer: {
        result: { data: { items: [{ id: 4, state: 'bad', error: { reason: 'The gradient table is empty' } }] } },
      },
    },
    'The gradient table is empty',
  ],
  'JSON in a string in JSON': [
    { answer: { statusCode: 502, error: json({ message: json({ detail: 'The scanner is offline' }) }) } },
    'The scanner is offline',
  ],
  'JSON after a sentence': [
    { answer: 'Request to pacs failed: {"detail": "Study 1.2.840.1 is archived on tape"}' },
    'Study 1.2.840.1 is archived on tape',
  ],
  'a list of errors': [
    { answer: { errors: [{ message: 'Private tag (0029,1020) is not on the allow list' }, { message: 'second' }] } },
    'Private tag (0029,1020) is not on the allow list',
  ],
  FastAPI: [
    { answer: { detail: [{ loc: ['body', 'series_count'], msg: 'field required', type: 'value_error.missing' }] } },
    'body.series_count: field required',
  ],
  'Django REST framework': [
    { answer: { errors: { subject: ['This subject is not part of the project.'] } } },
    'subject: This subject is not part of the project.',
  ],
  OAuth: [
    { answer: { error: 'invalid_grant', error_description: 'The service account is disabled' } },
    'The service account is disabled',
  ],
  Elasticsearch: [
    {
      answer: {
        error: { root_cause: [{ type: 'x', reason: 'a' }], type: 'x', reason: 'The index scans is read-only' },
      },
    },
    'The index scans is read-only',
  ],
  'a code': [{ answer: { error: 'quota_exceeded' } }, 'quota_exceeded'],
  'a list of texts': [{ answer: ['No T1 series was found', 'Check the protocol'] }, 'No T1 series was found'],
  'an nginx page': [
    {
      answer:
        '<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<body>\r\n<center><h1>413 Request Entity Too Large</h1></center>\r\n<hr><center>nginx/1.24</center>\r\n</body>\r\n</html>',
    },
    '413 Request Entity Too Large',
  ],
  'a Tomcat page': [
    {
      answer:
        '<!doctype html><html lang="en"><head><title>HTTP Status 500 – Internal Server Error</title><style>h1 {color:red}</style></head><body><h1>HTTP Status 500 – Internal Server Error</h1><p><b>Type</b> Exception Report</p><p><b>Message</b> Unable to find project &quot;MC&#x2D;2026&quot;</p></body></html>',
    },
    'Unable to find project "MC-2026"',
  ],
  'an XML answer of S3': [
    {
      answer:
        '<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>',
    },
    'The specified key does not exist.',
  ],
  'a text': [
    { answer: 'The scan has 12 slices, at least 20 are required.\n\nContact: qc@example.org' },
    'The scan has 12 slices, at least 20 are required.',
  ],
  'a Python traceback': [
    {
      output: `2026-11-17 10:00:01,120 INFO loading
Traceback (most recent call last):
  File "/app/convert.py", line 40, in <module>
    main()
  File "/app/convert.py", line 12, in main
    raise ValueError(f"Series {n} has no slices")
ValueError: Series 3 has no slices
2026-11-17 10:00:02,001 INFO removed /tmp/convert-17
`,
    },
    'ValueError: Series 3 has no slices',
  ],
  'chained Python tracebacks': [
    {
      output: `Traceback (most recent call last):
  File "a.py", line 1, in f
KeyError: 'EchoTime'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "a.py", line 3, in g
bids.MissingField: EchoTime is missing from the sidecar
`,
    },
    'bids.MissingField: EchoTime is missing from the sidecar',
  ],
  'a Python traceback in JSON': [
    {
      answer: {
        status: 'error',
        traceback: 'Traceback (most recent call last):\n  File "x.py", line 1\nOSError: No space left on /scratch',
      },
    },
    'OSError: No space left on /scratch',
  ],
  'a Java stack trace': [
    {
      output: `Exception in thread "main" java.lang.RuntimeException: Import failed
\tat org.nrg.Import.run(Import.java:12)
Caused by: java.io.IOException: The archive is full
\tat org.nrg.Store.put(Store.java:80)
\t... 3 more
`,
    },
    'java.io.IOException: The archive is full',
  ],
  'a Node stack trace': [
    {
      output: `/app/run.js:3
  throw new Error('No volumes');
  ^

Error: The file has no volumes
    at Object.<anonymous> (/app/run.js:3:9)
    at node:internal/main:12:3

Node.js v24.1.0
`,
    },
    'The file has no volumes',
  ],
  'the last error line of a program': [
    { output: 'INFO start\n[2026-11-17 10:00:00] ERROR: No space left on device\nINFO cleaning up\n' },
    'No space left on device',
  ],
  'an error line in colour': [
    { output: '\u001b[31mERROR\u001b[0m mri_convert: cannot open a.nii\u0007\n' },
    'mri_convert: cannot open a.nii',
  ],
  'an error before lines about exit codes': [
    {
      output:
        'dcm2niix: error: 2 volumes share one position\nmake: *** [nifti] Error 2\nsrun: error: node7: task 0: Exited with exit code 2\n',
    },
    'dcm2niix: error: 2 volumes share one position',
  ],
  'the last line of a program that names no error': [{ output: 'reading\nThe mask is empty\n' }, 'The mask is empty'],
  'a Python dictionary': [{ answer: "{'error': 'The mask is empty', 'code': 4}" }, 'The mask is empty'],
  'JSON that was cut': [
    { answer: '{"detail": "The mask is empty", "rows": [1, 2, [... cut here ...]' },
    'The mask is empty',
  ],
  "a worker's result values": [
    { values: { volume: 3, title: 'Brain of a mouse', error: 'The segmentation has holes' } },
    'The segmentation has holes',
  ],
};

describe('findCause', () => {
  it.for(Object.entries(answers))('reads %s', ([, [source, cause]]) => {
    expect(findCause([source])).toBe(cause);
  });

  it.for<Source>([
    { answer: '' },
    { answer: '  \n' },
    { answer: {} },
    { answer: null },
    { answer: 'null' },
    { answer: { status: 'KO', message: '' } },
    { answer: { error: true, code: 17 } },
    { answer: '{"a":[]}' },
    { output: '\n\n' },
    { values: { volume: 12, description: 'A brain' } },
  ])('finds nothing in %j', (source) => {
    expect(findCause([source])).toBeUndefined();
  });

  it('reads the first source that says something', () => {
    expect(findCause([{ values: {} }, { output: '' }, { output: 'No mask' }, { output: 'No brain' }])).toBe('No mask');
  });

  it('prefers a later source to a text that only says that something failed', () => {
    expect(findCause([{ answer: { error: 'Internal Server Error' } }, { output: 'No mask' }])).toBe('No mask');
  });

  it('has at most 500 characters and ends with a word', () => {
    const cause = findCause([{ answer: { detail: 'Ünusable 🧠 series '.repeat(100_000) } }]) ?? '';
    expect(cause.length).toBeLessThanOrEqual(maxCauseLength);
    expect(cause).toMatch(/^(?:Ünusable 🧠 series ){20,}.*(?:Ünusable|🧠|series)…$/u);
  });

  it('reads an output of 2 MB at its end', () => {
    const output = `${'INFO step\n'.repeat(200_000)}ERROR: The mask is empty\n`;
    expect(findCause([{ output }])).toBe('The mask is empty');
  });

  it('reads a JSON answer of 2 MB', () => {
    const answer = {
      rows: Array.from({ length: 50_000 }, (_none, id) => ({ id, message: '' })),
      detail: 'No T1 series',
    };
    expect(findCause([{ answer }])).toBe('No T1 series');
    expect(findCause([{ answer: json(answer) }])).toBe('No T1 series');
  });

  it('reads a page of 2 MB and a text of 2 MB without a line break', () => {
    expect(findCause([{ answer: `<html><h1>No T1 series</h1>${'<p>x</p>'.repeat(250_000)}</html>` }])).toBe(
      'No T1 series',
    );
    expect(findCause([{ answer: 'word '.repeat(400_000) }])).toMatch(/^(?:word ){90,}word…$/);
  });

  const key = ['AKIA', 'IOSFODNN7EXAMPLE'].join('');
  const jwt = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxIn0', 'c2lnbmF0dXJlLW9mLXRva2Vu'].join('.');
  it.for([
    ['Cannot reach postgresql://study:hunter22@db/scans', 'hunter22'],
    ['Rejected header Authorization: Bearer abcdef0123456789', 'abcdef0123456789'],
    ['GET /scans?api_key=abcdef0123456789 failed', 'abcdef0123456789'],
    ['Sign-in of xnat failed with password: hunter22-7', 'hunter22-7'],
    [`The access key ${key} is disabled`, key],
    [`The token ${jwt} has expired`, jwt],
    ["Login failed for {'user': 'a', 'password': 'hunter22'}", 'hunter22'],
    ['Login failed for {"user": "a", "password": "hunter22"}', 'hunter22'],
    ['xnat rejected token: abc123def', 'abc123def'],
    [`Cannot clone with ${['ghp', 'a1b2c3d4'.repeat(5)].join('_')}`, 'a1b2c3d4'],
    [`Cannot push with ${['glpat', 'a1b2c3d4e5f6a7b8c9d0'].join('-')}`, 'a1b2c3d4'],
    [`Incorrect API key provided: ${['sk', 'a1b2c3d4'.repeat(5)].join('-')}`, 'a1b2c3d4'],
  ])('hides the secret in %j', ([text = '', secret = '']) => {
    const found = [findCause([{ answer: { detail: text } }]), findCause([{ output: `ERROR ${text}` }]), asCause(text)];
    for (const cause of found) {
      expect(cause).toContain('(hidden)');
      expect(cause).not.toContain(secret);
    }
  });

  it('hides given secrets in any form', () => {
    expect(findCause([{ answer: 'The key Zx81-spectrum is unknown' }], ['Zx81-spectrum'])).toBe(
      'The key (hidden) is unknown',
    );
  });

  it('keeps words about passwords and tokens', () => {
    for (const text of ['Wrong password: account locked', 'Unexpected token: < at line 3'])
      expect(asCause(text)).toBe(text);
  });
});
