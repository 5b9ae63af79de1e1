/** The decision about an experiment: the values that matter, a small form, and a button for each next state. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { StateChip } from '../../../status/state-chip.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { ReasonField } from '../../../ui/reason-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { useMove } from '../move-dialog.tsx';
import type { Overview, Transition } from '../use-experiment.ts';
import { DecisionFields, type Answers } from './decision-fields.tsx';
import type { ExperimentDecision, Field, ShownValue } from './use-decision.ts';
import { valueText } from './value-limits.ts';
import styles from './decision.module.css';

interface Props {
  experiment: Overview;
  decision: ExperimentDecision;
  onDecided: () => void;
}

const none = { show: [], fields: [] };

export function DecisionPanel({ experiment, decision, onDecided }: Props) {
  const [answers, setAnswers] = useState<Answers>({});
  const [reason, setReason] = useState('');
  const move = useMove(experiment, onDecided);
  const { show, fields } = decision.decision ?? none;
  const missing = fields.filter(({ required, variable }) => required && answers[variable] === undefined);
  const decide = ({ destination_state: { label: destination } }: Transition) =>
    move.mutate({ destination, reason: reason.trim(), ...(fields.length > 0 && { variables: answers }) });
  return (
    <div className={styles['panel']}>
      <Section
        title="Decide"
        aside={
          <span className={styles['muted']} dir="auto">
            {decision.freetext}
          </span>
        }
      >
        {show.length === 0 ? null : <Values show={show} variables={experiment.variable_map} />}
        <div className={styles['form']}>
          <div className={styles['answers']}>
            <DecisionFields fields={fields} answers={answers} onChange={setAnswers} />
            <ReasonField value={reason} onChange={setReason} placeholder="Shown in the timeline and the audit log" />
          </div>
          <Destinations
            transitions={experiment.transitions.filter(({ by }) => by !== 'engine')}
            fields={fields}
            missing={missing}
            isPending={move.isPending}
            onChoose={decide}
          />
        </div>
        {move.error ? <ProblemNote error={move.error} /> : null}
      </Section>
    </div>
  );
}

const Values = ({ show, variables }: { show: readonly ShownValue[]; variables: Record<string, unknown> }) => (
  <table className={styles['values']}>
    <caption>Values</caption>
    <tbody>
      {show.map((shown) => {
        const { value, limit, verdict } = valueText(shown, variables[shown.variable]);
        return (
          <tr key={shown.variable}>
            <th scope="row">{shown.title}</th>
            <td className={styles['value']}>{value}</td>
            <td className={styles['muted']}>{limit}</td>
            <td className={verdict?.isWithin === false ? styles['overdue'] : styles['within']}>
              {verdict ? <Icon name={verdict.isWithin ? 'success' : 'blocked'} /> : null} {verdict?.text}
            </td>
          </tr>
        );
      })}
    </tbody>
  </table>
);

interface DestinationsProps {
  transitions: readonly Transition[];
  fields: readonly Field[];
  /** Required fields without an answer. */
  missing: readonly Field[];
  isPending: boolean;
  onChoose: (transition: Transition) => void;
}

/** An answer can make a condition true, so a transition whose condition reads one can be tried. */
const isPossible = ({ allowed, condition, missing_permission: permission }: Transition, fields: readonly Field[]) =>
  allowed || (permission === null && fields.some(({ variable }) => condition.includes(variable)));

function Destinations({ transitions, fields, missing, isPending, onChoose }: DestinationsProps) {
  const first = transitions.find((transition) => isPossible(transition, fields));
  return (
    <div>
      <h3 className={styles['label']}>Next states</h3>
      <ul className={styles['destinations']}>
        {transitions.map((transition) => (
          <li key={transition.id}>
            <Button
              fullWidth
              variant={transition === first ? 'filled' : 'default'}
              disabled={!isPossible(transition, fields) || missing.length > 0 || isPending}
              onClick={() => onChoose(transition)}
            >
              {transition.title}
            </Button>
            <p className={styles['muted']} dir="auto">
              <StateChip state={transition.destination_state} />
            </p>
            {isPossible(transition, fields) ? null : (
              <p className={styles['refusal']} dir="auto">
                Not possible now: {transition.reason}
              </p>
            )}
          </li>
        ))}
      </ul>
      {missing.length === 0 ? null : (
        <p className={styles['muted']}>Answer first: {missing.map(({ title }) => title).join(', ')}.</p>
      )}
    </div>
  );
}
