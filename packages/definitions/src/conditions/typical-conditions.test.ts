/** Typical conditions of imaging studies in Python syntax. */
import { describe, expect, it } from 'vitest';
import { conditionInputs } from '../../testing/condition-inputs.ts';
import { evaluateCondition } from './evaluate-condition.ts';
import { readCondition } from './read-condition.ts';

type Inputs = Parameters<typeof conditionInputs>[0];

const letterFor = (python: string, inputs: Inputs) => {
  const { condition, faults } = readCondition(python, { kind: 'transition' });
  expect(faults).toEqual([]);
  if (!condition) throw new Error('neither faults nor a condition');
  // The server stores the translation and reads it again.
  expect(readCondition(condition.cel, { kind: 'transition' }).condition?.ast).toBeDefined();
  const { holds, decided } = evaluateCondition(condition, conditionInputs(inputs));
  if (!decided) return '-';
  return holds ? 'T' : 'F';
};

const callback = (result: string, result_values: unknown = {}) => ({ status: 'finished', result, result_values });
const v = (variables: Record<string, unknown>): Inputs => ({ variables });
const qc = (result: string, result_values: unknown = {}): Inputs => ({
  callbacks: { qc: callback(result, result_values), deface: callback('success') },
});
const scans = (...types: readonly string[]) => v({ scans: types.map((type) => ({ type, slices: 170, usable: true })) });

/** T: true, F: false, -: cannot be evaluated. */
const conditions: readonly (readonly [python: string, expected: string, ...inputs: Inputs[]])[] = [
  // Results of callbacks.
  ["callbacks['qc'].result.name == 'success'", 'TF', qc('success'), qc('failed')],
  ["callbacks['qc'].result.value in ['success', 'none']", 'TTF', qc('success'), qc('none'), qc('timeout')],
  [
    "callbacks.get('qc').result.name != 'failed' and callbacks['qc'].status == 'finished'",
    'TF',
    qc('none'),
    qc('failed'),
  ],
  ["all(callbacks[c].result.name == 'success' for c in callbacks)", 'TF', qc('success'), qc('failed')],
  ["any(callbacks[label].result.value == 'timeout' for label in callbacks)", 'TF', qc('timeout'), qc('failed')],
  ["len(callbacks) == 2 and not callbacks['qc'].result.name == 'timeout'", 'TF', qc('success'), qc('timeout')],
  // Values that callbacks report.
  [
    "callbacks['qc'].result_values.get('score', 0) >= 0.8",
    'TFF-',
    qc('success', { score: 0.9 }),
    qc('success', { score: 0.5 }),
    qc('success'),
    qc('success', { score: 'high' }),
  ],
  [
    "callbacks['qc'].result_values.get('body', {}).get('snr', 0) > 12 and callbacks['qc'].result.name == 'success'",
    'TFF',
    qc('success', { body: { snr: 14.5 } }),
    qc('success', { body: {} }),
    qc('success'),
  ],
  [
    "int(callbacks['qc'].result_values['exit_code']) == 0",
    'TTF-',
    qc('success', { exit_code: '0\n' }),
    qc('success', { exit_code: 0 }),
    qc('failed', { exit_code: '137' }),
    qc('failed', { exit_code: 'killed' }),
  ],
  [
    "callbacks['qc'].result_values.get('verdict', '').strip().lower() == 'pass'",
    'TFF',
    qc('success', { verdict: ' PASS\n' }),
    qc('success', { verdict: 'fail' }),
    qc('success'),
  ],
  // Variables.
  [
    "experiment.variables.get('usable') == True or experiment.variables.get('override') == True",
    'TTF',
    v({ usable: true }),
    v({ override: true }),
    v({}),
  ],
  ["experiment.variables.get('usable', False)", 'TF-', v({ usable: true }), v({}), v({ usable: 'yes' })],
  ["not experiment.variables.get('resend', False)", 'FT', v({ resend: true }), v({})],
  [
    "experiment.variables.get('rater') is not None and len(experiment.variables['rater'].strip()) > 0",
    'TFF',
    v({ rater: 'jd' }),
    v({ rater: '  ' }),
    v({}),
  ],
  [
    "str(experiment.variables.get('consent')).lower() in ['true', '1', 'yes']",
    'TTTFF',
    v({ consent: true }),
    v({ consent: 1 }),
    v({ consent: 'Yes' }),
    v({ consent: false }),
    v({}),
  ],
  [
    "int(experiment.variables.get('attempts', 0)) < 3",
    'TTF-',
    v({}),
    v({ attempts: '2' }),
    v({ attempts: 3 }),
    v({ attempts: 'many' }),
  ],
  ["experiment.variables['site'].upper() in ['EMC', 'AMC']", 'TF-', v({ site: 'emc' }), v({ site: 'umcu' }), v({})],
  // Scan types and counts.
  [
    "any(s['type'].startswith('T1') for s in experiment.variables['scans'])",
    'TF',
    scans('T1_MPRAGE', 'FLAIR'),
    scans('FLAIR'),
  ],
  [
    "all(s['usable'] and s['slices'] >= 160 for s in experiment.variables.get('scans', []))",
    'TTF',
    scans('T1', 'T2'),
    v({}),
    v({ scans: [{ usable: false, slices: 170 }] }),
  ],
  [
    "len(experiment.variables.get('scans', [])) >= 2 and any(s['type'] == 'FLAIR' for s in experiment.variables['scans'])",
    'TFF',
    scans('T1', 'FLAIR'),
    scans('T1', 'T2'),
    v({}),
  ],
  [
    "all(t in experiment.variables['scan_types'] for t in ['T1', 'T2', 'FLAIR'])",
    'TF',
    v({ scan_types: ['FLAIR', 'T2', 'T1', 'DWI'] }),
    v({ scan_types: ['T1'] }),
  ],
  [
    "'DWI' not in experiment.variables.get('scan_types', []) or int(experiment.variables['bvecs']) == 64",
    'TTF',
    v({}),
    v({ scan_types: ['DWI'], bvecs: '64' }),
    v({ scan_types: ['DWI'], bvecs: 32 }),
  ],
  // Labels and external IDs.
  ["experiment.label.startswith('exp_') and not experiment.label.endswith('_rescan')", 'T', {}],
  ["subject.label.lower().startswith('sub') and cohort.label.endswith('_1')", 'T', {}],
  [
    "subject.external_ids.get('XNAT', '').startswith('XNAT_') and experiment.external_ids.get('XNAT') is None",
    'TF',
    {},
    { externalIds: { XNAT: 'XNAT_E1' } },
  ],
];

const rows = conditions.map(([python, expected, ...inputs]) => [python, expected, inputs] as const);

describe('a typical condition of an imaging study', () => {
  it.each(rows)('such as %s is imported and evaluates to %s', (python, expected, inputs) => {
    expect(inputs.map((given) => letterFor(python, given)).join('')).toBe(expected);
  });
});
