/** The arguments of callbacks: names, types, placeholders and external systems. */
import { describe, expect, it } from 'vitest';
import { lintWorkflow } from '../lint/lint-files.ts';

const file = (callback: string) =>
  `label: w\nstates: [{label: a, outcome: good, callbacks: [{label: c, ${callback}}]}]`;
const found = (callback: string) =>
  lintWorkflow(file(callback), { systems: ['XNAT'] })
    .filter(({ code }) => code !== 'unset_variable')
    .map(({ code, message }) => `${code}: ${message}`);

describe('the arguments of a callback', () => {
  it.each([
    'function: http, callback_arguments: {url: "{{external_systems.XNAT}}/{{experiment.external_ids.XNAT}}"}',
    'function: http, callback_arguments: {url: x, method: "{{experiment.variables.method}}"}',
    'function: http, callback_arguments: {url: x, expected_status: [200, 404], headers: {A: 1, B: "{{cohort.label}}"}}',
    'function: send_mail, callback_arguments: {subject: s, body: b, to: ["{{experiment.variables.reader}}"]}',
    'function: command, callback_arguments: {binary: b, args: [1, "{{experiment.id}}"], kwargs: {--x: true}, expected_return_code: null}',
    'function: worker, callback_arguments: {queue: q, payload: {any: thing}}',
    'function: sleep, callback_arguments: "seconds: 3"',
    'function: wait, wait_timeout: 5',
  ])('can be those of `%s`', (callback) => {
    expect(found(callback)).toEqual([]);
  });

  it.each([
    [
      'function: http',
      'missing_argument: http needs the argument "url". Add it, as in callback_arguments: {url: "{{external_systems.XNAT}}/check"}.',
    ],
    [
      'function: http, callback_arguments: {url: x, method: GTE}',
      'invalid_argument: the argument "method" of http must be one of: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS. Did you mean "GET"? It is "GTE".',
    ],
    [
      'function: http, callback_arguments: {url: x, expected_status: 99}',
      /^invalid_argument: the argument "expected_status" of http must be /,
    ],
    [
      'function: sleep, callback_arguments: {seconds: "{{experiment.variables.pause}}"}',
      /^invalid_argument: the argument "seconds" of sleep must be a number\./,
    ],
    [
      'function: wait, wait_timeout: 5, callback_arguments: {x: 1}',
      'unknown_argument: wait has no argument "x". It takes none.',
    ],
    [
      'function: worker, callback_arguments: {queu: q}',
      'missing_argument: worker needs the argument "queue". Rename "queu" to "queue".',
    ],
    [
      'function: worker, callback_arguments: {queue: q, x: ["{{experiment.lable}}"]}',
      'unknown_placeholder: {{experiment.lable}} is not a placeholder. Did you mean "experiment.label"?',
    ],
    [
      'function: http, callback_arguments: {url: "$XNAT/{{external_systems.PACS}}"}',
      'unknown_system: No external system has the name "PACS". Expected one of: XNAT.',
    ],
    [
      'function: create_task, callback_arguments: {task_base: t, task_info: {}}',
      /^unknown_system: No external system has the name "TASKMANAGER"/,
    ],
  ])('are reported for `%s`', (callback, message) => {
    expect(found(callback)).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)]);
  });

  it('are warnings in the older layout, because such files must still import', () => {
    const older = 'label: w\nstates: [{label: a, outcome: good, callback: {function: send_mail, to: 5}}]';
    expect(lintWorkflow(older).map(({ severity, code }) => `${severity} ${code}`)).toEqual([
      'warning invalid_arguments',
      'warning invalid_arguments',
      'warning invalid_arguments',
    ]);
  });
});
