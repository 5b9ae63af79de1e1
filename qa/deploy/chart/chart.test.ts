/** The chart without Helm: its schema accepts the sets of values, and refuses secrets and what the chart sets itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { secretSettings } from '../../../packages/server/src/config/secrets.ts';
import { fromRoot } from '../../../tools/printed-file.ts';

type Values = Record<string, unknown>;

const read = (file: string) => readFileSync(fromRoot(`deploy/helm/milepost/${file}`), 'utf8');
const defaults = () => parse(read('values.yaml')) as Values;
const accepts = new Ajv({ allErrors: true, strictTypes: false }).compile(
  JSON.parse(read('values.schema.json')) as object,
);
const traceHeaders = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As Helm merges values: objects by key, anything else is replaced. */
function merge(one: Values, other: Values): Values {
  const merged = Object.entries(other).map(([key, value]) => {
    const before = one[key];
    return [key, isObject(before) && isObject(value) ? merge(before, value) : value];
  });
  return { ...one, ...(Object.fromEntries(merged) as Values) };
}

const faultsOf = (values: Values): string[] =>
  accepts(merge(defaults(), { publicUrl: 'https://milepost.example.org', ...values }))
    ? []
    : (accepts.errors ?? []).map(({ instancePath }) => instancePath);

describe('the values of the chart', () => {
  it('need a public URL', () => {
    expect(accepts(defaults())).toBe(false);
    expect(accepts.errors).toMatchObject([{ instancePath: '/publicUrl' }]);
  });

  it.each(readdirSync(fromRoot('deploy/helm/milepost/ci')))('are accepted in %s', (file) => {
    expect(faultsOf(parse(read(`ci/${file}`)) as Values)).toEqual([]);
  });

  it.each(['settings', 'server', 'worker'])('contain no secret in %s', (place) => {
    for (const name of [...secretSettings, ...traceHeaders]) {
      const settings = { [name]: 'postgresql://milepost_app:secret@db/milepost' };
      expect(faultsOf(place === 'settings' ? { settings } : { [place]: { settings } })).not.toEqual([]);
    }
  });

  it('name all secrets, and no other', () => {
    const names = [...secretSettings, 'MILEPOST_CHECKPOINT_KEY', ...traceHeaders];
    expect(Object.keys(defaults()['secrets'] as object).toSorted()).toEqual(names.toSorted());
  });

  it('are refused if the chart does not know them', () => {
    expect(faultsOf({ replicas: 3 })).toEqual(['']);
    expect(faultsOf({ settings: { LOG_LEVEL: 'debug' } })).not.toEqual([]);
    expect(faultsOf({ settings: { MILEPOST_PORT: 9000 } })).not.toEqual([]);
  });

  it('have the settings of single sign-on only for servers, which alone have its secret', () => {
    const settings = { MILEPOST_OIDC_ISSUER: 'https://id.example.org' };
    expect(faultsOf({ server: { settings } })).toEqual([]);
    expect(faultsOf({ worker: { settings } })).not.toEqual([]);
    expect(faultsOf({ settings })).not.toEqual([]);
  });
});

it('the chart has the version of the package', () => {
  const { version } = JSON.parse(readFileSync(fromRoot('packages/milepost/package.json'), 'utf8')) as {
    version: string;
  };
  expect(parse(read('Chart.yaml'))).toMatchObject({ version, appVersion: version });
});
