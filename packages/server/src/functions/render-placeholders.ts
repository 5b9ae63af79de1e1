/**
 * Fills in what arguments of a callback leave open: `{{experiment.label}}` and the older `$EXPERIMENT`. Every text is gone
 * through once, so that what is filled in is never read as a placeholder itself. A placeholder that names nothing is a
 * lasting failure; other words behind a dollar are left as they are.
 *
 * In the argument `url` everything but addresses is percent-encoded: a label cannot lead to another path.
 */
import { suggestion } from '../nearest-name.ts';
import { LastingFailure, type Run } from './callback-function.ts';
import { mapTexts } from './map-texts.ts';

export type Source = Pick<Run, 'execution' | 'action' | 'experiment' | 'subject' | 'cohort' | 'externalSystems'>;
type Arguments = Readonly<Record<string, unknown>>;

export function renderPlaceholders(given: Arguments, source: Source): Record<string, unknown> {
  const entries = Object.entries(given).map(([name, value]) => {
    const fill = (text: string) => fillIn(text, source, name === 'url');
    return [name, mapTexts(value, fill)] as const;
  });
  return Object.fromEntries(entries);
}

function fillIn(text: string, source: Source, inUrl: boolean): string {
  return text.replaceAll(/\{\{([^{}]*)\}\}|\$([A-Za-z_]\w*)/g, (whole, path?: string, word?: string) => {
    const name = path === undefined ? newerName(word ?? '', source) : path.trim();
    if (name === undefined) return whole;
    const value = valueOf(name, source);
    if (value === undefined || value === null) throw namesNothing(whole, name, source);
    const filled = typeof value === 'string' ? value : JSON.stringify(value);
    return inUrl && !isAddress(name) ? encoded(filled, whole) : filled;
  });
}

const olderNames: Readonly<Record<string, string>> = {
  EXPERIMENT: 'experiment.api_uri',
  SUBJECT: 'subject.api_uri',
  CALLBACK_EXECUTION: 'execution.api_uri',
  CALLBACK_SECRET: 'execution.secret',
};

/** `$CASTOR` is the address of the external system CASTOR, or of Castor if there is no CASTOR. */
function newerName(word: string, { externalSystems }: Source): string | undefined {
  if (Object.hasOwn(olderNames, word)) return olderNames[word];
  const systems = Object.keys(externalSystems);
  const system = systems.find((name) => name === word) ?? systems.find((name) => name.toUpperCase() === word);
  // Where there is no such system, $XNAT is a fault, and $HOME is somebody's text.
  return system === undefined && word !== 'XNAT' ? undefined : `external_systems.${system ?? word}`;
}

const isAddress = (name: string) => name.startsWith('external_systems.') || name.endsWith('_uri');

/** `.` and `..` lead to another path however they are spelled. */
function encoded(value: string, whole: string): string {
  if (/^\.{1,2}$/.test(value)) throw new LastingFailure(`${whole} is "${value}", which cannot be part of an address.`);
  return encodeURIComponent(value.toWellFormed());
}

const addressed = (name: string, { id, apiUri, webUri }: Source['action']): Record<string, unknown> => ({
  [`${name}.id`]: id,
  [`${name}.api_uri`]: apiUri,
  [`${name}.web_uri`]: webUri,
});

const values = ({ experiment, subject, cohort, action, execution }: Source): Record<string, unknown> => ({
  ...addressed('experiment', experiment),
  'experiment.label': experiment.label,
  ...addressed('subject', subject),
  'subject.label': subject.label,
  'cohort.id': cohort.id,
  'cohort.label': cohort.label,
  ...addressed('action', action),
  ...addressed('execution', execution),
  'execution.attempt': execution.attempt,
  'execution.secret': execution.secret,
});

/** What is named by people, and may have dots in its names. */
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

function namesNothing(whole: string, name: string, source: Source): LastingFailure {
  const inMaps = Object.entries(named(source)).flatMap(([start, map]) => Object.keys(map).map((key) => start + key));
  return new LastingFailure(
    `${whole.slice(0, 100)} names nothing: ${suggestion(name, [...Object.keys(values(source)), ...inMaps])}`,
  );
}
