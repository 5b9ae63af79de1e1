/** Small bars of a number by week, in a table. */
import { count } from '../../../ui/numbers.ts';
import { weekText } from '../week-text.ts';
import { WeekSlider } from './week-slider.tsx';
import styles from './rows.module.css';

interface Props {
  label: string;
  weeks: readonly string[];
  values: readonly number[];
  /** What is counted, in the plural. */
  noun: string;
  colour: string;
}

const width = 104;
const height = 20;

export function WeekBars({ label, weeks, values, noun, colour }: Props) {
  const band = width / weeks.length;
  const largest = Math.max(1, ...values);
  const text = (index: number) => `${weekText(weeks, index)}: ${count(values[index] ?? 0)} ${noun}`;
  const tall = (value: number) => (value === 0 ? 1 : Math.max(2, (value / largest) * height));
  return (
    <WeekSlider
      label={label}
      weeks={weeks.length}
      valueText={text}
      card={text}
      xOf={(index) => (index + 0.5) * band}
      width={width}
    >
      {(active) => (
        <svg className={styles['bars']} width={width} height={height} aria-hidden="true">
          {values.map((value, index) => (
            <rect
              key={weeks[index]}
              x={index * band + band * 0.1}
              width={band * 0.8}
              y={height - tall(value)}
              height={tall(value)}
              fill={index === active ? 'var(--ink)' : value === 0 ? 'var(--edge)' : colour}
            />
          ))}
        </svg>
      )}
    </WeekSlider>
  );
}
