import type { Texts } from './changes.ts';
import type { Conflict } from './save-changes.ts';
import styles from './forms.module.css';

interface Props {
  conflict: Conflict<Texts>;
  labelOf: (name: string) => string;
}

/** The values that another user saved while this user edited the same fields. */
export const ConflictNote = ({ conflict: { current, names }, labelOf }: Props) => (
  <div role="alert" className={styles['conflict']}>
    <p>
      <b>Another user changed this while you edited it.</b> Your changes are not saved. Overwrite these values, or
      cancel to keep them.
    </p>
    <ul>
      {names.map((name) => (
        <li key={name}>
          <bdi>{labelOf(name)}</bdi>: {current.texts[name] ? <bdi>{current.texts[name]}</bdi> : 'empty'}
        </li>
      ))}
    </ul>
  </div>
);
