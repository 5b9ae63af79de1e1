/** The description of a cohort, and its addresses in external systems. */
import { AddValue, EditValue } from '../../external-ids/value-buttons.tsx';
import type { Owner } from '../../external-ids/kinds.ts';
import { ExternalLink } from '../../ui/external-link.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { Section } from '../../ui/section.tsx';
import type { CohortHead } from './use-cohort.ts';
import styles from './cohort.module.css';

export function CohortAbout({ cohort }: { cohort: CohortHead }) {
  const { id, description, external_urls } = cohort;
  const elsewhere = Object.entries(external_urls);
  const owner: Owner = { kind: 'cohort', id, cohort };
  return (
    <div className={styles['about']}>
      <Section title="Description">
        {description === '' ? <p className={styles['none']}>No description yet.</p> : <LongText text={description} />}
      </Section>
      <Section title="External systems">
        {elsewhere.length === 0 ? <p className={styles['none']}>No external URLs yet.</p> : null}
        <span className={styles['elsewhere']}>
          {elsewhere.map(([system, url]) => (
            <span key={system}>
              <ExternalLink url={url} text={system} />
              <EditValue owner={owner} system={system} />
            </span>
          ))}
          <AddValue owner={owner} />
        </span>
      </Section>
    </div>
  );
}
