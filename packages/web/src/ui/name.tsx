import { Link } from 'react-router';
import { tooltipIfTruncated } from './tooltip.tsx';
import styles from './name.module.css';

/**
 * A name that users chose. It can be long and in any script, so it is truncated with the whole name as a tooltip, and its
 * direction does not affect the text around it.
 */
export const Name = ({ text }: { text: string }) => (
  <bdi className={styles['name']} {...tooltipIfTruncated(text)}>
    {text}
  </bdi>
);

export const NameLink = ({ text, to }: { text: string; to: string }) => (
  // The link itself has the direction. Otherwise a truncated right-to-left name loses its beginning.
  <Link className={styles['link']} to={to} dir="auto" {...tooltipIfTruncated(text)}>
    {text}
  </Link>
);
