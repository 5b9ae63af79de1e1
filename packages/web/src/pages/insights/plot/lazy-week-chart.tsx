/** The chart library is large, so it loads after the texts and tables of the page. */
import { lazy, Suspense } from 'react';
import { Loading } from '../../../ui/placeholders.tsx';
import type { WeekChartProps } from './week-chart.tsx';
import styles from './plot.module.css';

const WeekChart = lazy(async () => ({ default: (await import('./week-chart.tsx')).WeekChart }));

export const LazyWeekChart = (props: WeekChartProps) => (
  <Suspense
    fallback={
      <div className={styles['loading']}>
        <Loading what="the chart" />
      </div>
    }
  >
    <WeekChart {...props} />
  </Suspense>
);
