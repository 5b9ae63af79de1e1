/** When the cohort will be finished, one line for each of its workflows. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { noEvents, operationQuery } from '../../api/operation-query.ts';
import { paths } from '../../paths.ts';
import { useWorkflowsOf } from '../../status/use-state-look.tsx';
import { rangeText } from '../insights/about-forecast.ts';
import { workflowsQuery } from '../workflows/use-workflow.ts';
import styles from './cohort.module.css';

/** Each needs a request. */
const mostWorkflows = 3;

interface Props {
  cohortId: number;
  /** The states of its experiments. */
  states: readonly { id: number }[];
}

const insightsPath = (cohortId: number, workflowId?: number) => {
  const filters = { ...(workflowId === undefined ? {} : { workflow: String(workflowId) }), cohort: String(cohortId) };
  return `${paths.insights}?${new URLSearchParams(filters)}`;
};

export function CohortForecasts({ cohortId, states }: Props) {
  const workflowIds = useWorkflowsOf(states) ?? [];
  const isOne = workflowIds.length === 1;
  if (workflowIds.length === 0) return null;
  return (
    <div className={styles['forecasts']}>
      {workflowIds.length > mostWorkflows ? (
        <p>
          Forecasts by workflow are in{' '}
          <Link className={styles['link']} to={insightsPath(cohortId)}>
            Insights
          </Link>
          .
        </p>
      ) : (
        workflowIds.map((id) => <Forecast key={id} cohortId={cohortId} workflowId={id} isOne={isOne} />)
      )}
    </div>
  );
}

/** Moves hardly change a forecast, so events do not refetch it. */
function useForecast(cohortId: number, workflowId: number) {
  const query = { workflow_id: workflowId, cohort_id: cohortId, limit: 1 };
  const { data } = useQuery({
    ...operationQuery('listInsightForecasts', { query }, noEvents),
    staleTime: 300_000,
    retry: false,
  });
  return data?.forecasts[0];
}

interface ForecastProps {
  cohortId: number;
  workflowId: number;
  /** Whether the cohort has no other workflow, so that its name is not shown. */
  isOne: boolean;
}

/** A space keeps the height of the line until the forecast is loaded. */
function Forecast({ cohortId, workflowId, isOne }: ForecastProps) {
  const row = useForecast(cohortId, workflowId);
  const workflows = useQuery({ ...workflowsQuery, enabled: !isOne });
  const label = workflows.data?.workflows.find(({ id }) => id === workflowId)?.label;
  if (!row || (!isOne && label === undefined)) return <p>{'\u00A0'}</p>;
  const link = (text: string) => (
    <Link className={styles['link']} to={insightsPath(cohortId, workflowId)}>
      {text}
    </Link>
  );
  return (
    <p>
      {isOne ? (
        row.forecast ? (
          'Forecast: '
        ) : null
      ) : (
        <>
          <bdi>{label}</bdi>:{' '}
        </>
      )}
      {row.forecast ? (
        link(rangeText(row))
      ) : (
        <>
          {rangeText(row)} {link('Insights')}
        </>
      )}
    </p>
  );
}
