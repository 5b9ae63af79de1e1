/** An experiment in the matrix: a quiet word for a final state, a chip for others, a mark for what needs attention. */
import { useEffect, useId, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { outcomeWord } from '../../status/outcome.tsx';
import { StateMark } from '../../status/state-chip.tsx';
import { useStateLook } from '../../status/use-state-look.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ExperimentCard, type CardPlace } from './experiment-card.tsx';
import { markOf } from './matrix-row.ts';
import type { MatrixExperiment } from './use-cohort.ts';
import { walkCells } from './walk-cells.ts';
import styles from './matrix.module.css';

/** The pointer often only passes. */
const hoverMilliseconds = 250;
const cardHeight = 240;
const cardWidth = 376;

function placeOf(cell: Element): CardPlace {
  const { bottom, left } = cell.getBoundingClientRect();
  return { above: bottom > window.innerHeight - cardHeight, alignRight: left > window.innerWidth - cardWidth };
}

/** Opens on focus, or when the pointer rests on the cell. Escape closes it, and the pointer can move onto it. */
function useCard() {
  const cell = useRef<HTMLSpanElement>(null);
  const [place, setPlace] = useState<CardPlace>();
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const after = (milliseconds: number, next: () => CardPlace | undefined) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setPlace(next()), milliseconds);
  };
  const open = () => (cell.current === null ? undefined : placeOf(cell.current));
  const handlers = {
    onPointerEnter: () => after(hoverMilliseconds, open),
    onPointerLeave: () => after(0, () => undefined),
    onFocus: () => setPlace((now) => now ?? open()),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) setPlace(undefined);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') setPlace(undefined);
      walkCells(event);
    },
  };
  return { cell, place, handlers };
}

interface Props {
  experiment: MatrixExperiment;
  /** Of experiments in no column of their own. */
  isNamed?: boolean;
}

export function MatrixCell({ experiment, isNamed = false }: Props) {
  const { cell, place, handlers } = useCard();
  const cardId = useId();
  const { title, outcome } = useStateLook(experiment.state);
  const mark = markOf(experiment);
  const word = mark && (mark.word ?? outcomeWord(mark.name));
  return (
    <span ref={cell} className={styles['cell']} data-experiment {...handlers}>
      {isNamed ? <bdi className={styles['visit']}>{experiment.visit}</bdi> : null}
      <Link
        className={outcome !== undefined && !mark ? styles['final'] : styles['chip']}
        data-mark={mark?.name}
        to={paths.experiment(experiment.id)}
        aria-describedby={place ? cardId : undefined}
      >
        <StateMark state={experiment.state} />
        <span className={styles['title']}>{title}</span>
        {mark ? (
          <>
            <Icon name={mark.name} size={13} />
            <span className={styles['unseen']}>, {word}</span>
          </>
        ) : null}
      </Link>
      {place ? <ExperimentCard id={cardId} experiment={experiment} place={place} /> : null}
    </span>
  );
}
