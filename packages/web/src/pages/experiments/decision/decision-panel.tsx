/** The decision about an experiment: the values that matter, a small form, and a button for each next state. */
import { useState } from 'react';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { ReasonField } from '../../../ui/reason-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { useMove } from '../move-dialog.tsx';
import type { Overview, Transition } from '../use-experiment.ts';
import { DecisionFields, type Answers } from './decision-fields.tsx';
import { DecisionValues } from './decision-values.tsx';
import { Destinations } from './destinations.tsx';
import type { ExperimentDecision } from './use-decision.ts';
import styles from './decision.module.css';

interface Props {
  experiment: Overview;
  decision: ExperimentDecision;
  /** The transition that is selected. */
  chosen?: number | undefined;
  onDecided: () => void;
}

const none = { show: [], fields: [] };

export function DecisionPanel({ experiment, decision, chosen, onDecided }: Props) {
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
        {show.length === 0 ? null : <DecisionValues show={show} variables={experiment.variable_map} />}
        <div className={styles['form']}>
          <div className={styles['answers']}>
            <DecisionFields fields={fields} answers={answers} onChange={setAnswers} />
            <ReasonField value={reason} onChange={setReason} placeholder="Shown in the timeline and the audit log" />
          </div>
          <Destinations
            transitions={experiment.transitions.filter(({ by }) => by !== 'engine')}
            fields={fields}
            missing={missing}
            chosen={chosen}
            isPending={move.isPending}
            onChoose={decide}
          />
        </div>
        {move.error ? <ProblemNote error={move.error} /> : null}
      </Section>
    </div>
  );
}
