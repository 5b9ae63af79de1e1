import { hintIfCut } from './hints.tsx';
import { Name } from './name.tsx';
import { webAddress } from './web-address.ts';
import styles from './name.module.css';

/** Out of Milepost, in a tab of its own; plain text where the address does not lead to a web page. */
export function OutwardLink({ url, text = url }: { url: string; text?: string }) {
  const href = webAddress(url);
  if (href === undefined) return <Name text={text} />;
  return (
    <a className={styles['outward']} href={href} target="_blank" rel="noopener noreferrer" {...hintIfCut(text)}>
      <bdi>{text}</bdi>
    </a>
  );
}
