/** What an import would change, and the states to which the experiments of removed states move. */
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { countOf } from '../../../ui/numbers.ts';
import { NameList } from '../../../definition-import/name-list.tsx';
import { MutedText, Section } from '../../../ui/section.tsx';
import { graphQuery } from '../use-workflow.ts';
import { changeKinds, kindNames, parts, statesAfter, statesToMap, summaryOf, type WorkflowPlan } from './plan.ts';
import styles from '../../../definition-import/definition-import.module.css';

export type StateMap = Readonly<Record<string, string>>;

interface Props {
  plan: WorkflowPlan;
  /** The workflow that the import changes. */
  workflowId: number | undefined;
  stateMap: StateMap;
  onStateMap: (map: StateMap) => void;
}

export const PlanView = (props: Props) => (
  <>
    <StateMapFields {...props} />
    <Section title="Plan">
      <p>{summaryOf(props.plan)}</p>
      <Changes plan={props.plan} />
      <Initial plan={props.plan} />
      <Affected plan={props.plan} />
    </Section>
  </>
);

const Changes = ({ plan }: { plan: WorkflowPlan }) => (
  <dl className={styles['changes']}>
    {parts.map(([part, title]) => {
      const kinds = changeKinds.filter((kind) => plan[part][kind].length > 0);
      return kinds.length === 0 ? null : (
        <div key={part}>
          <dt>{title}</dt>
          {kinds.map((kind) => (
            <dd key={kind}>
              <b data-kind={kind}>{kindNames[kind]}</b> <NameList names={plan[part][kind].map(shownName)} />
            </dd>
          ))}
        </div>
      );
    })}
  </dl>
);

const shownName = (name: string) => name.replace(' -> ', ' → ');

const Initial = ({ plan: { initial, outcome } }: { plan: WorkflowPlan }) =>
  outcome === 'identical' || initial.before === initial.after ? null : (
    <p className={styles['note']}>
      New experiments start in <bdi>{initial.after}</bdi>
      {initial.before === null ? '.' : ` instead of ${initial.before}.`}
    </p>
  );

function Affected({ plan }: { plan: WorkflowPlan }) {
  const sum = (key: 'experiments' | 'open_executions') =>
    plan.affected_states.reduce((total, state) => total + state[key], 0);
  const [experiments, open] = [sum('experiments'), sum('open_executions')];
  return experiments === 0 ? null : (
    <p className={styles['note']}>
      {countOf(experiments, 'experiment is', 'experiments are')} in a changed or retired state.{' '}
      {open === 0 ? null : countOf(open, 'open run keeps its definition.', 'open runs keep their definition.')}
    </p>
  );
}

function StateMapFields({ plan, workflowId, stateMap, onStateMap }: Props) {
  const graph = useQuery({ ...graphQuery(workflowId ?? 0), enabled: workflowId !== undefined });
  const states = statesToMap(plan);
  const before = graph.data?.states.map(({ label }) => label) ?? [];
  return states.length === 0 ? null : (
    <Section title="State map">
      <MutedText>
        The file removes states that have experiments. Choose the state to which they move. The callbacks of that state
        run.
      </MutedText>
      <div className={styles['mapped']}>
        {states.map(({ state, experiments, goes_to }) => (
          <Select
            key={state}
            label={`${countOf(experiments, 'experiment')} in ${state} ${experiments === 1 ? 'moves' : 'move'} to`}
            placeholder="Choose a state"
            data={statesAfter(plan, before)}
            value={stateMap[state] ?? goes_to}
            onChange={(label) => label !== null && onStateMap({ ...stateMap, [state]: label })}
            allowDeselect={false}
            searchable
          />
        ))}
      </div>
    </Section>
  );
}
