import { memo, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { inPieces, withoutColours } from './text-pieces.ts';
import styles from './plain-text.module.css';

interface Props {
  /** The accessible name: `Log`. */
  label: string;
  text: string;
  /** Scrolls to new lines if the last line was visible before. */
  follows?: boolean;
}

/**
 * The output of a program, unchanged: markup is text, and each line has its own direction. The browser lays out only the
 * visible pieces, so that long texts stay fast and searchable. It is focusable, so that the keyboard can scroll it.
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
      {pieces.map((piece, index) => (
        <Piece key={index} text={piece} />
      ))}
    </div>
  );
}

const Piece = memo(({ text }: { text: string }) => (
  <pre dir="auto" className={styles['piece']}>
    {text}
  </pre>
));

/** Few enough to lay out at once, which gives them their true height from the start. */
const fewPieces = 5;
const nearEnd = 24;

function useFollowing(text: string, follows: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(follows);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const update = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd;
    };
    element.addEventListener('scroll', update, { passive: true });
    return () => element.removeEventListener('scroll', update);
  }, []);
  useLayoutEffect(() => {
    if (follows && atEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [text, follows]);
  return box;
}

/** Indents JSON for `PlainText`. Text that is not JSON stays unchanged. */
export function prettyJson(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
