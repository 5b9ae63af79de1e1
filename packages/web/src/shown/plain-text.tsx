import { memo, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { inPieces, withoutColours } from './text-pieces.ts';
import styles from './plain-text.module.css';

interface Props {
  /** What it is, for those who cannot see where it stands: `Log`. */
  label: string;
  text: string;
  /** New lines are scrolled to, as long as the last one was in sight before. */
  follows?: boolean;
}

/**
 * A text that a program wrote, exactly as it is: markup in it is text, and each line has its own direction. It is shown in
 * pieces, and the browser lays out only those in sight, so that a million characters neither freeze the page nor are
 * hidden from its search. It takes the focus, as the keyboard must be able to scroll it.
 */
export function PlainText({ label, text, follows = false }: Props) {
  const pieces = useMemo(() => inPieces(withoutColours(text)), [text]);
  const box = useFollowing(text, follows);
  return (
    <div
      ref={box}
      role="group"
      aria-label={label}
      tabIndex={0}
      className={styles['box']}
      data-long={pieces.length > fewPieces || undefined}
    >
      {pieces.map((piece, place) => (
        <Piece key={place} text={piece} />
      ))}
    </div>
  );
}

const Piece = memo(({ text }: { text: string }) => (
  <pre dir="auto" className={styles['piece']}>
    {text}
  </pre>
));

/** So many are laid out at once without anybody noticing, and then have their true height from the beginning. */
const fewPieces = 5;
const nearEnd = 24;

function useFollowing(text: string, follows: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(follows);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const look = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd;
    };
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, []);
  useLayoutEffect(() => {
    if (follows && atEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [text, follows]);
  return box;
}
