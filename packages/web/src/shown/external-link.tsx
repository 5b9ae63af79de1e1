import { hintIfCut } from './hints.tsx';
import { Name } from './name.tsx';
import { webAddress } from './web-address.ts';
import styles from './name.module.css';

/** A link to another website in a new tab, or plain text if the URL is not a web URL. */
export function ExternalLink({ url, text = url }: { url: string; text?: string }) {
  const href = webAddress(url);
  if (href === undefined) return <Name text={text} />;
  return (
    <a className={styles['outward']} href={href} target="_blank" rel="noopener noreferrer" {...hintIfCut(text)}>
      <bdi>{text}</bdi>
    </a>
  );
}
