/** The external IDs of a subject or an experiment, each with a button to change it. */
import type { ReactNode } from 'react';
import { DescriptionList } from '../ui/description-list.tsx';
import { MutedText, Section } from '../ui/section.tsx';
import type { Owner } from './kinds.ts';
import { AddValue, EditValue } from './value-buttons.tsx';
import styles from './external-ids.module.css';

interface Props {
  /** Undefined if they cannot be changed. */
  owner: Owner | undefined;
  ids: readonly (readonly [system: string, shown: ReactNode])[];
}

export const ExternalIdsSection = ({ owner, ids }: Props) => (
  <Section title="External IDs" aside={owner ? <AddValue owner={owner} /> : null}>
    {ids.length === 0 ? (
      <MutedText>{owner ? 'No external IDs yet.' : 'No external IDs.'}</MutedText>
    ) : (
      <DescriptionList
        items={ids.map(([system, shown]) => [
          system,
          <span key={system} className={styles['value']}>
            <span>{shown}</span>
            {owner ? <EditValue owner={owner} system={system} /> : null}
          </span>,
        ])}
      />
    )}
  </Section>
);
