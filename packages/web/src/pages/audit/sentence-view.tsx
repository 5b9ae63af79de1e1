/** The pieces of a sentence with links, state colours and earlier values. */
import { Fragment } from 'react';
import { Link } from 'react-router';
import { StateMark } from '../../status/state-chip.tsx';
import type { NamedState } from '../../status/state-looks.ts';
import { useStateLook } from '../../status/use-state-look.tsx';
import { Icon } from '../../ui/icon.tsx';
import { localDay, localText } from '../../ui/times.ts';
import { tooltip } from '../../ui/tooltip.tsx';
import type { Piece } from './sentence.ts';
import styles from './audit.module.css';

export function StateName({ state }: { state: NamedState }) {
  const { title } = useStateLook(state);
  return (
    <span className={styles['state']}>
      <StateMark state={state} />
      <bdi>{title}</bdi>
    </span>
  );
}

const Arrow = () => (
  <span className={styles['arrow']} role="img" aria-label="to">
    <Icon name="arrow" size={13} />
  </span>
);

export const Erased = () => (
  <span className={styles['erased']} {...tooltip('The values were destroyed when the subject was erased.')}>
    erased
  </span>
);

function PieceView({ piece }: { piece: Piece }) {
  if (typeof piece === 'string') return piece;
  switch (piece.as) {
    case 'object':
      return piece.to === undefined ? (
        <bdi className={styles['object']}>{piece.text}</bdi>
      ) : (
        <Link className={styles['object']} to={piece.to} dir="auto">
          {piece.text}
        </Link>
      );
    case 'state':
      return <StateName state={piece.state} />;
    case 'old':
    case 'new':
      return <bdi className={styles[piece.as]}>{piece.text}</bdi>;
    case 'quote':
      return <Quote text={piece.text} />;
    case 'time':
      return (
        <time dateTime={piece.at} {...tooltip(localText(piece.at))}>
          {localDay(new Date(piece.at))}
        </time>
      );
    case 'arrow':
      return <Arrow />;
    case 'erased':
    default:
      return <Erased />;
  }
}

export const Quote = ({ text }: { text: string }) => (
  <span className={styles['quote']}>
    “<bdi>{text}</bdi>”
  </span>
);

export const SentenceView = ({ pieces }: { pieces: readonly Piece[] }) =>
  pieces.map((piece, index) => (
    // Pieces have no identity and never move.
    <Fragment key={index}>
      <PieceView piece={piece} />
    </Fragment>
  ));
