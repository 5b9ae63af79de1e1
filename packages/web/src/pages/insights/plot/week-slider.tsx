/**
 * Makes the weeks of a plot accessible: arrow keys move along them and screen readers announce the values of each, and the pointer
 * shows them as a tooltip. The plot itself has no text for them, so it is
 * hidden.
 */
import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import styles from './plot.module.css';

interface Props {
  /** What the plot shows. */
  label: string;
  weeks: number;
  /** The values of a week, for screen readers. */
  valueText: (index: number) => string;
  /** The same for the tooltip. */
  card: (index: number) => ReactNode;
  /** The centre of a week, in pixels from the left. */
  xOf: (index: number) => number;
  width: number;
  children: (active: number | undefined) => ReactNode;
}

const nextIndex = (key: string, index: number, weeks: number): number | undefined => {
  const moves: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    Home: 0,
    End: weeks - 1,
  };
  const to = moves[key];
  return to === undefined ? undefined : Math.min(Math.max(to, 0), weeks - 1);
};

/** The week whose centre is nearest. */
const nearest = (x: number, weeks: number, xOf: (index: number) => number): number =>
  Array.from({ length: weeks }, (_, index) => index).reduce((best, index) =>
    Math.abs(xOf(index) - x) < Math.abs(xOf(best) - x) ? index : best,
  );

function useActiveWeek({ weeks, xOf }: Pick<Props, 'weeks' | 'xOf'>) {
  const [place, setPlace] = useState({ index: weeks - 1, isShown: false });
  const index = Math.min(place.index, weeks - 1);
  const show = (to: number) => setPlace({ index: to, isShown: true });
  const hide = () => setPlace({ index, isShown: false });
  const onKeyDown = (event: KeyboardEvent) => {
    const to = nextIndex(event.key, index, weeks);
    if (to !== undefined) {
      event.preventDefault();
      show(to);
    } else if (event.key === 'Escape') hide();
  };
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent) =>
    show(nearest(clientX - currentTarget.getBoundingClientRect().left, weeks, xOf));
  const onPointerLeave = ({ currentTarget }: PointerEvent) => {
    if (!currentTarget.matches(':focus-visible')) hide();
  };
  const handlers = { onKeyDown, onPointerMove, onPointerLeave, onFocus: () => show(index), onBlur: hide };
  return { index, active: place.isShown ? index : undefined, handlers };
}

export function WeekSlider({ label, weeks, valueText, card, xOf, width, children }: Props) {
  const { index, active, handlers } = useActiveWeek({ weeks, xOf });
  return (
    <div className={styles['slider']} style={{ width }}>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={weeks}
        aria-valuenow={index + 1}
        aria-valuetext={valueText(index)}
        className={styles['plot']}
        {...handlers}
      >
        {children(active)}
      </div>
      {active === undefined ? null : (
        <div
          aria-hidden="true"
          className={styles['card']}
          style={xOf(active) > width / 2 ? { right: width - xOf(active) + 12 } : { left: xOf(active) + 12 }}
        >
          {card(active)}
        </div>
      )}
    </div>
  );
}
