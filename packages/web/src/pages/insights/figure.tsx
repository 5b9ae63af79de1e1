import { Link } from 'react-router';
import styles from './insights.module.css';

/** A number that links to the experiments that it counts. */
export const Figure = ({ text, to }: { text: string; to: string | undefined }) =>
  to === undefined || text === '0' ? (
    text
  ) : (
    <Link className={styles['figure']} to={to}>
      {text}
    </Link>
  );
