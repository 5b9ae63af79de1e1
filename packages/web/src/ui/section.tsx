import { useId, type ReactNode } from 'react';
import styles from './section.module.css';

interface Props {
  title: string;
  /** The number of its rows, next to the title. */
  number?: string | undefined;
  /** A button or a short text next to the heading. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A part of a page with a heading. */
export function Section({ title, number, aside, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <div className={styles['head']}>
        <h2 id={id}>
          {title}
          {number === undefined ? null : <b> {number}</b>}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** The text of an empty section, or a remark in it. */
export const MutedText = ({ children }: { children: ReactNode }) => <p className={styles['muted']}>{children}</p>;
