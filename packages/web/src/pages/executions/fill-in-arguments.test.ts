import { describe, expect, it } from 'vitest';
import { fillInArguments } from './fill-in-arguments.ts';

const site = 'https://milepost.example.org';
const links = (path: string) => ({ api_uri: `${site}/api/v2/${path}`, web_uri: `${site}/${path}` });
const source = {
  id: 914,
  ...links('callback_executions/914'),
  experiment: {
    id: 112,
    label: 'MC-0041-baseline',
    ...links('experiments/112'),
    external_ids: { XNAT: 'XNAT_E04412' },
    variable_map: { motion: 1.56, 'a.b': [1], path: 'a/b', unset: null, x: '{{subject.label}}' },
  },
  subject: { id: 41, label: 'MC-0041', ...links('subjects/41'), external_ids: { XNAT: 'XNAT_S1' } },
  cohort: { id: 7, label: '{{subject.label}}' },
  external_systems: { XNAT: 'https://xnat.example.org' },
};
const fill = (given: unknown) => fillInArguments(JSON.stringify(given), source);
const filled = (given: unknown) => fill(given).values;

describe('fillInArguments', () => {
  it('fills in labels, ids and URLs, at any depth', () => {
    const given = {
      url: '{{external_systems.XNAT}}/sessions/{{ experiment.label }}',
      body: { of: ['{{subject.id}}', '{{execution.api_uri}}'], web: '{{experiment.web_uri}}' },
    };
    expect(fill(given)).toEqual({
      values: {
        url: 'https://xnat.example.org/sessions/MC-0041-baseline',
        body: { of: ['41', `${site}/api/v2/callback_executions/914`], web: `${site}/experiments/112` },
      },
      current: [],
    });
  });

  it('fills in variables and external IDs, and lists those that it used', () => {
    const given = {
      motion: '{{experiment.variables.motion}} mm',
      other: '{{experiment.variables.a.b}}',
      ids: '{{experiment.external_ids.XNAT}} {{subject.external_ids.XNAT}} {{experiment.variables.motion}}',
    };
    expect(fill(given)).toEqual({
      values: { motion: '1.56 mm', other: '[1]', ids: 'XNAT_E04412 XNAT_S1 1.56' },
      current: [
        'experiment.variables.motion',
        'experiment.variables.a.b',
        'experiment.external_ids.XNAT',
        'subject.external_ids.XNAT',
      ],
    });
  });

  it('percent-encodes values in the URL as the run does', () => {
    const text = '{{experiment.variables.path}}';
    expect(filled({ url: `{{external_systems.XNAT}}/${text}`, body: { url: text } })).toEqual({
      url: 'https://xnat.example.org/a%2Fb',
      body: { url: 'a/b' },
    });
  });

  it('keeps the placeholders of secrets and of values that are not set', () => {
    const kept = {
      secret: '{{execution.secret}}',
      volume: '{{experiment.variables.volume}}',
      unset: '{{experiment.variables.unset}}',
    };
    expect(fill(kept)).toEqual({ values: kept, current: [] });
  });

  it('does not read inserted values as placeholders', () => {
    expect(filled({ of: '{{cohort.label}}', x: '{{experiment.variables.x}}' })).toEqual({
      of: '{{subject.label}}',
      x: '{{subject.label}}',
    });
  });

  it('returns text that is not JSON unchanged', () => {
    expect(fillInArguments('{', source)).toEqual({ values: '{', current: [] });
  });
});
