/** The settings for how long data is kept. */
import { wholeNumber } from './readers.ts';

const daysToKeep = (what: string, fallback: string) => ({
  about: `The number of days to keep ${what}.`,
  fallback,
  read: wholeNumber(1, 3650),
});

export const keepSettings = {
  MILEPOST_KEEP_EVENTS_DAYS: daysToKeep('events', '14'),
  MILEPOST_KEEP_LOGS_DAYS: {
    about: 'The number of days to keep the logs of a run after it ends. 0 keeps them permanently.',
    fallback: '365',
    read: wholeNumber(0, 36_500),
  },
  MILEPOST_KEEP_BULK_OPERATIONS_DAYS: daysToKeep('bulk operations after they end', '90'),
  MILEPOST_KEEP_IMPORTS_DAYS: daysToKeep('uploaded spreadsheets after their import ends', '30'),
  MILEPOST_KEEP_SESSIONS_DAYS: daysToKeep('expired sessions', '1'),
} as const;

export const shapeKeepDays = (values: Record<keyof typeof keepSettings, number>) => ({
  events: values.MILEPOST_KEEP_EVENTS_DAYS,
  logs: values.MILEPOST_KEEP_LOGS_DAYS,
  sessions: values.MILEPOST_KEEP_SESSIONS_DAYS,
  bulkOperations: values.MILEPOST_KEEP_BULK_OPERATIONS_DAYS,
  imports: values.MILEPOST_KEEP_IMPORTS_DAYS,
});
