import { Name } from './name.tsx';
import { tooltipIfTruncated } from './tooltip.tsx';
import styles from './name.module.css';

/** A link to another website in a new tab, or plain text if the URL is not a web URL. */
export function ExternalLink({ url, text = url }: { url: string; text?: string }) {
  const href = webAddress(url);
  if (href === undefined) return <Name text={text} />;
  return (
    <a
      className={styles['outward']}
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      {...tooltipIfTruncated(text)}
    >
      <bdi>{text}</bdi>
    </a>
  );
}

/** Stored URLs can contain anything, such as a script. Only http and https URLs become links. */
export function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
