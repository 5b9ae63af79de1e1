import { describe, expect, it } from 'vitest';
import { fillInArguments } from './fill-in-arguments.ts';

const source = {
  id: 914,
  api_uri: 'https://milepost.example.org/api/v2/callback_executions/914',
  experiment: { id: 112, label: 'MC-0041-baseline' },
  subject: { id: 41, label: 'MC-0041' },
  cohort: { id: 7, label: '{{subject.label}}' },
  external_systems: { XNAT: 'https://xnat.example.org' },
};
const filled = (value: unknown) => fillInArguments(JSON.stringify(value), source);

describe('fillInArguments', () => {
  it('fills in labels, ids and the URLs of external systems, at any depth', () => {
    expect(
      filled({ url: '{{external_systems.XNAT}}/sessions/{{ experiment.label }}', body: { of: ['{{subject.id}}'] } }),
    ).toEqual({ url: 'https://xnat.example.org/sessions/MC-0041-baseline', body: { of: ['41'] } });
  });

  it('keeps the placeholders of secrets and of values that it does not know', () => {
    const kept = { secret: '{{execution.secret}}', volume: '{{experiment.variables.volume}}' };
    expect(filled(kept)).toEqual(kept);
  });

  it('does not read inserted values as placeholders', () => {
    expect(filled({ of: '{{cohort.label}}' })).toEqual({ of: '{{subject.label}}' });
  });

  it('returns text that is not JSON unchanged', () => {
    expect(fillInArguments('{', source)).toBe('{');
  });
});
