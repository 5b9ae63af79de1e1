/** The published JSON Schema of workflow files is up to date, accepts valid definitions and rejects invalid ones. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { isFresh } from './printed-file.ts';
import { workflowSchemaText } from './print-workflow-schema.ts';

const text = workflowSchemaText();
const validate = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(JSON.parse(text) as object);

describe('workflow.schema.json', () => {
  it('is up to date', async () => {
    expect(await isFresh({ file: 'packages/server/workflow.schema.json', text })).toBe(true);
  });

  it.each([
    'label: w\nstates: [{label: a}]',
    'label: w\ninitial:\nstates: [{label: a, freetext: , callbacks: , transitions: [{destination: a, by: , condition: true}]}]',
    'label: w\nstates: [{label: a, callbacks: [{label: c, function: http, callback_arguments: "x: 1", variable_map: {x: y}}]}]',
    'label: w\nstates: [{label: a, callbacks: [{label: c, function: http, callback_arguments: {url: x, method: "{{cohort.label}}"}}]}]',
    'label: w\nstates: [{label: a, callbacks: [{label: c, function: worker, callback_arguments: {queue: q, more: 1}}, {label: d, function: fastr}, {label: e, function: wait, wait_timeout: 5, callback_arguments: }]}]',
    'label: w\nexternal_systems: []\nstates: [{label: a, lifespan: 5, callback: {function: f, x: 1}}, {label: b, callback: }]\ntransitions: [{source: a, destination: b}]',
  ])('accepts the definition %j', (file) => {
    validate(parse(file));
    expect(validate.errors).toBe(null);
  });

  it.each([
    'states: [{label: a}]',
    'label: w\nstates: []',
    'label: w\nstates: [{label: a, callbaks: []}]',
    'label: by-label\nstates: [{label: a}]',
    'label: w\nstates: [{label: a, transitions: [{destination: a, by: robot}]}]',
    'label: w\nstates: [{label: a, callbacks: [{label: c, function: fastr, run_timeout: -1}]}]',
    'label: w\nstates: [{label: a, callbacks: [{label: c, function: http}]}]',
    'label: w\nstates: [{label: a, callbacks: [{label: c, function: http, callback_arguments: {uri: x}}]}]',
    'label: w\nstates: [{label: a, callbacks: [{label: c, function: http, callback_arguments: {url: x, method: GTE}}]}]',
    'label: w\nstates: [{label: a, callbacks: [{label: c, function: sleep, callback_arguments: {seconds: ten}}]}]',
    'label: w\nstates: [{label: a, callbacks: [{label: c, function: worker, callback_arguments: {}}]}]',
  ])('rejects the definition %j', (file) => {
    expect(validate(parse(file))).toBe(false);
  });
});
