/** All sections of the page. */
import { useCohortLabel } from '../../filters/study-filters.tsx';
import { Backlog } from './backlog.tsx';
import { DecisionTimes } from './decision-times.tsx';
import { Failures } from './failures.tsx';
import { flowOf, sinceFirst, type Insights } from './flow-series.ts';
import { FinishedSection, InProgressSection } from './flow-sections.tsx';
import { Forecast } from './forecast.tsx';
import { insightLinks, type InsightLinks } from './insight-links.ts';
import { LinkedVariables } from './linked-variables.tsx';
import { TimeInState } from './time-in-state.tsx';
import type { InsightFilter } from './use-insights.ts';
import styles from './insights.module.css';

interface Props {
  insights: Insights;
  filter: InsightFilter;
}

/** Undefined until the label of the cohort is loaded, because the links would count other experiments. */
function useLinks(workflow: string, { cohort_id: cohortId, q = '' }: InsightFilter): InsightLinks | undefined {
  const cohort = useCohortLabel(cohortId);
  return cohortId !== undefined && cohort === undefined ? undefined : insightLinks({ workflow, cohort, q });
}

export function InsightFigures({ insights, filter }: Props) {
  const { workflow, from, stays, variables, decisions, forecasts } = insights;
  const { weeks, flow: rows, failures } = sinceFirst(insights);
  const links = useLinks(workflow.label, filter);
  const flow = flowOf({ weeks, flow: rows });
  const finals = stays.flatMap(({ state, final }) => (final ? [state.label] : []));
  return (
    <>
      <div className={styles['two']}>
        <FinishedSection flow={flow} filter={filter} links={links} />
        <InProgressSection flow={flow} filter={filter} links={links} />
      </div>
      <TimeInState stays={stays} variables={variables} from={from} filter={filter} links={links} />
      <div className={styles['two']}>
        <Forecast forecasts={forecasts} filter={filter} workflow={workflow.label} finals={finals} />
        <Failures failures={failures} weeks={weeks} filter={filter} links={links} />
        <div>
          <Backlog stays={stays} flow={flow} filter={filter} links={links} />
          <DecisionTimes decisions={decisions} from={from} filter={filter} links={links} />
        </div>
        <LinkedVariables variables={variables} filter={filter} links={links} />
      </div>
    </>
  );
}
