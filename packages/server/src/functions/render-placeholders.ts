/**
 * Fills in the placeholders in a callback's arguments: `{{experiment.label}}` and the legacy form `$EXPERIMENT`. Each string is
 * processed once, so inserted values are never read as placeholders. A placeholder without a value is a permanent failure.
 * Unknown words after a dollar sign are left unchanged.
 *
 * In the argument `url`, inserted values other than URIs are percent-encoded, so a label cannot change the path.
 */
import { suggestion } from '@milepost/api';
import { PermanentFailure, type Run } from './callback-function.ts';
import { mapStrings } from './map-strings.ts';

export type Source = Pick<Run, 'execution' | 'action' | 'experiment' | 'subject' | 'cohort' | 'externalSystems'>;
type Arguments = Readonly<Record<string, unknown>>;

export function renderPlaceholders(given: Arguments, source: Source): Record<string, unknown> {
  const entries = Object.entries(given).map(([name, value]) => {
    const fill = (text: string) => fillIn(text, source, name === 'url');
    return [name, mapStrings(value, fill)] as const;
  });
  return Object.fromEntries(entries);
}

function fillIn(text: string, source: Source, inUrl: boolean): string {
  return text.replaceAll(/\{\{([^{}]*)\}\}|\$([A-Za-z_]\w*)/g, (whole, path?: string, word?: string) => {
    const name = path === undefined ? resolveLegacyName(word ?? '', source) : path.trim();
    if (name === undefined) return whole;
    const value = valueOf(name, source);
    if (value === undefined || value === null) throw withoutValue(whole, name, source);
    const filled = typeof value === 'string' ? value : JSON.stringify(value);
    return inUrl && !isUri(name) ? encode(filled, whole) : filled;
  });
}

const legacyNames: Readonly<Record<string, string>> = {
  EXPERIMENT: 'experiment.api_uri',
  SUBJECT: 'subject.api_uri',
  CALLBACK_EXECUTION: 'execution.api_uri',
  CALLBACK_SECRET: 'execution.secret',
};

/** `$CASTOR` is the URL of the external system CASTOR, or of Castor if there is no CASTOR. */
function resolveLegacyName(word: string, { externalSystems }: Source): string | undefined {
  if (Object.hasOwn(legacyNames, word)) return legacyNames[word];
  const systems = Object.keys(externalSystems);
  const system = systems.find((name) => name === word) ?? systems.find((name) => name.toUpperCase() === word);
  // Without such a system, $XNAT is an error, and any other word, such as $HOME, is plain text.
  return system === undefined && word !== 'XNAT' ? undefined : `external_systems.${system ?? word}`;
}

const isUri = (name: string) => name.startsWith('external_systems.') || name.endsWith('_uri');

/** `.` and `..` change the path even if they are percent-encoded. */
function encode(value: string, whole: string): string {
  if (/^\.{1,2}$/.test(value)) throw new PermanentFailure(`${whole} is "${value}", which is not allowed in a URL.`);
  return encodeURIComponent(value.toWellFormed());
}

const uriValues = (name: string, { id, apiUri, webUri }: Source['action']): Record<string, unknown> => ({
  [`${name}.id`]: id,
  [`${name}.api_uri`]: apiUri,
  [`${name}.web_uri`]: webUri,
});

const values = ({ experiment, subject, cohort, action, execution }: Source): Record<string, unknown> => ({
  ...uriValues('experiment', experiment),
  'experiment.label': experiment.label,
  ...uriValues('subject', subject),
  'subject.label': subject.label,
  'cohort.id': cohort.id,
  'cohort.label': cohort.label,
  ...uriValues('action', action),
  ...uriValues('execution', execution),
  'execution.attempt': execution.attempt,
  'execution.secret': execution.secret,
});

/** Values with user-defined names, which can contain dots. */
const named = ({
  experiment,
  subject,
  externalSystems,
}: Source): Record<string, Readonly<Record<string, unknown>>> => ({
  'experiment.external_ids.': experiment.externalIds,
  'experiment.variables.': experiment.variables ?? {},
  'subject.external_ids.': subject.externalIds,
  'external_systems.': externalSystems,
});

function valueOf(name: string, source: Source): unknown {
  const known = values(source);
  if (Object.hasOwn(known, name)) return known[name];
  const [start, map] = Object.entries(named(source)).find(([prefix]) => name.startsWith(prefix)) ?? ['', {}];
  const key = name.slice(start.length);
  return Object.hasOwn(map, key) ? (map as Record<string, unknown>)[key] : undefined;
}

function withoutValue(whole: string, name: string, source: Source): PermanentFailure {
  const inMaps = Object.entries(named(source)).flatMap(([start, map]) => Object.keys(map).map((key) => start + key));
  return new PermanentFailure(
    `${whole.slice(0, 100)} has no value. ${suggestion(name, [...Object.keys(values(source)), ...inMaps])}`,
  );
}
