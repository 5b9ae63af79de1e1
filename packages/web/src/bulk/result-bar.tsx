/** A thin bar in the colours of the results. The numbers are next to it as text. */
import styles from './bulk.module.css';

interface Props {
  /** Succeeded, or will succeed. */
  good: number;
  refused: number;
  /** The rest is empty. */
  total: number;
}

export const ResultBar = ({ good, refused, total }: Props) => (
  <div className={styles['bar']} aria-hidden="true">
    <i data-result="good" style={{ flexGrow: good }} />
    <i data-result="refused" style={{ flexGrow: refused }} />
    <i style={{ flexGrow: Math.max(0, total - good - refused) }} />
  </div>
);
