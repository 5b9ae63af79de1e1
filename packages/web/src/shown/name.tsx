import { Link } from 'react-router';
import { hintIfCut } from './hints.tsx';
import styles from './name.module.css';

/**
 * Something that people have named: it may be long, and in any script and direction, so it is cut at the end of its
 * place (all of it is a hint then) and never turns around the words beside it.
 */
export const Name = ({ text }: { text: string }) => (
  <bdi className={styles['name']} {...hintIfCut(text)}>
    {text}
  </bdi>
);

export const NameLink = ({ text, to }: { text: string; to: string }) => (
  // The direction is that of the link, not of something inside it: else a name from right to left loses its beginning.
  <Link className={styles['link']} to={to} dir="auto" {...hintIfCut(text)}>
    {text}
  </Link>
);
