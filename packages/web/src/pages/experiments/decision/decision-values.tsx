import { Icon } from '../../../ui/icon.tsx';
import type { ShownValue } from './use-decision.ts';
import { barOf, valueText, type Bar, type ValueText } from './value-limits.ts';
import styles from './decision-values.module.css';

interface Props {
  show: readonly ShownValue[];
  variables: Readonly<Record<string, unknown>>;
}

/** The values that matter for a decision, each with its limit and whether it is within it. */
export const DecisionValues = ({ show, variables }: Props) => (
  <table className={styles['values']}>
    <caption>Values</caption>
    <tbody>
      {show.map((shown) => (
        <Row key={shown.variable} shown={shown} value={variables[shown.variable]} />
      ))}
    </tbody>
  </table>
);

function Row({ shown, value }: { shown: ShownValue; value: unknown }) {
  const { value: text, isKnown, limit, verdict } = valueText(shown, value);
  const bar = barOf(shown, value);
  return (
    <tr data-within={verdict?.isWithin}>
      <th scope="row" dir="auto">
        {shown.title}
      </th>
      <td>
        <div className={styles['value']}>
          <bdi className={isKnown ? undefined : styles['unset']}>{text}</bdi>
          {bar ? <Gauge bar={bar} /> : null}
        </div>
      </td>
      <td className={styles['limit']}>{limit}</td>
      <td>{verdict ? <Verdict verdict={verdict} /> : null}</td>
    </tr>
  );
}

const percent = (share: number) => `${share * 100}%`;

/** The text beside it says the same. */
const Gauge = ({ bar: { fill, ticks } }: { bar: Bar }) => (
  <span className={styles['gauge']} aria-hidden="true">
    <i className={styles['fill']} style={{ width: percent(fill) }} />
    {ticks.map((tick) => (
      <i key={tick} className={styles['tick']} style={{ left: percent(tick) }} />
    ))}
  </span>
);

const Verdict = ({ verdict: { isWithin, text } }: { verdict: NonNullable<ValueText['verdict']> }) => (
  <span className={styles['verdict']}>
    <Icon name={isWithin ? 'success' : 'warning'} />
    {text}
  </span>
);
