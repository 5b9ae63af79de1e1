import styles from './state-chip.module.css';

/** Marks an experiment or a subject that has withdrawn. */
export const WithdrawnChip = ({ date, erased = false }: { date: string; erased?: boolean }) => (
  <span className={styles['withdrawn']}>
    {erased ? 'Withdrawn and erased' : 'Withdrawn'} <time dateTime={date}>{date}</time>
  </span>
);
