/** The data of the experiment: variables, external IDs and scans. */
import { ExternalIdsSection } from '../../external-ids/external-ids-section.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { ExternalLink, webAddress } from '../../ui/external-link.tsx';
import { count } from '../../ui/numbers.ts';
import { MutedText, Section } from '../../ui/section.tsx';
import type { Overview } from './use-experiment.ts';
import styles from './experiment.module.css';

/** The overview contains at most this many. */
const maxScans = 1000;

export const ExperimentData = ({ experiment }: { experiment: Overview }) => (
  <>
    <Variables variables={experiment.variable_map} />
    <ExternalIds experiment={experiment} />
    <Scans scans={experiment.scans} />
  </>
);

const maxValueLength = 300;

/** Strings as they are, lists of words with a comma between them, other values as JSON. Truncated if very long. */
function valueText(value: unknown): string {
  const text = textOf(value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return isListOfWords(value) ? value.join(', ') : JSON.stringify(value);
}

/** Without commas in its elements, so that the text shows which they are. */
const isListOfWords = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => typeof one === 'string' && one !== '' && !one.includes(','));

const Variables = ({ variables }: { variables: Overview['variable_map'] }) => (
  <Section title="Variables">
    {Object.keys(variables).length === 0 ? (
      <MutedText>No variables yet. Callbacks set variables when they finish.</MutedText>
    ) : (
      <DescriptionList
        items={Object.entries(variables).map(([name, value]) => [name, <bdi key={name}>{valueText(value)}</bdi>])}
      />
    )}
  </Section>
);

/** The URL of the ID within the system is unknown, so the link opens the system itself. */
const ExternalId = ({ system_name, url, external_id }: Overview['external_ids'][number]) => (
  <>
    <bdi>{external_id}</bdi>{' '}
    {webAddress(url) === undefined ? null : <ExternalLink url={url} text={`Open ${system_name}`} />}
  </>
);

const ExternalIds = ({ experiment: { id, cohort, external_ids } }: { experiment: Overview }) => (
  <ExternalIdsSection
    owner={{ kind: 'experiment', id, cohort }}
    ids={external_ids.map((one) => [one.system_name, <ExternalId key={one.system_name} {...one} />])}
  />
);

const Scans = ({ scans }: { scans: Overview['scans'] }) => (
  <Section title="Scans">
    {scans.length === 0 ? (
      <MutedText>No scans yet.</MutedText>
    ) : (
      <>
        <ul className={styles['scans']}>
          {scans.map(({ id, scantype: { modality, protocol } }) => (
            <li key={id}>
              <bdi>{modality === '' ? '—' : modality}</bdi>
              <bdi>{protocol}</bdi>
            </li>
          ))}
        </ul>
        {scans.length < maxScans ? null : <MutedText>Showing the first {count(maxScans)}.</MutedText>}
      </>
    )}
  </Section>
);
