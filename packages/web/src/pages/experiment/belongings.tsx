/** What belongs to the experiment: variables, ids in other systems, scans. */
import { Facts } from '../../shown/facts.tsx';
import { count } from '../../shown/numbers.ts';
import { OutwardLink } from '../../shown/outward-link.tsx';
import { Nothing, Section } from '../../shown/section.tsx';
import { webAddress } from '../../shown/web-address.ts';
import { valueText } from './value-text.ts';
import type { Overview } from './use-experiment.ts';
import styles from './experiment.module.css';

/** More do not come with the overview. */
const mostScans = 1000;

export const Belongings = ({ experiment }: { experiment: Overview }) => (
  <>
    <Variables variables={experiment.variable_map} />
    <ExternalIds ids={experiment.external_ids} />
    <Scans scans={experiment.scans} />
  </>
);

const Variables = ({ variables }: { variables: Overview['variable_map'] }) => (
  <Section title="Variables">
    {Object.keys(variables).length === 0 ? (
      <Nothing>None. Callbacks set them when they end.</Nothing>
    ) : (
      <Facts
        facts={Object.entries(variables).map(([name, value]) => [name, <bdi key={name}>{valueText(value)}</bdi>])}
      />
    )}
  </Section>
);

/** Where a system shows what it calls so is not known: the link leads to the system. */
const ExternalId = ({ system_name, url, external_id }: Overview['external_ids'][number]) => (
  <>
    <bdi>{external_id}</bdi>{' '}
    {webAddress(url) === undefined ? null : <OutwardLink url={url} text={`Open ${system_name}`} />}
  </>
);

const ExternalIds = ({ ids }: { ids: Overview['external_ids'] }) => (
  <Section title="In other systems">
    {ids.length === 0 ? (
      <Nothing>No other system is known to have it.</Nothing>
    ) : (
      <Facts facts={ids.map((id) => [id.system_name, <ExternalId key={id.system_name} {...id} />])} />
    )}
  </Section>
);

const Scans = ({ scans }: { scans: Overview['scans'] }) => (
  <Section title="Scans">
    {scans.length === 0 ? (
      <Nothing>None recorded.</Nothing>
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
        {scans.length < mostScans ? null : <Nothing>The first {count(mostScans)} are shown.</Nothing>}
      </>
    )}
  </Section>
);
