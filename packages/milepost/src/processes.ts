/** The commands that need the server package. It is slow to load, so `milepost --help` does not import this file. */
import { migrateDatabase, rebuildInsights, serve, work, type Environment } from '@milepost/server';
import { dev } from './dev/dev.ts';
import { doctor, type DoctorOptions } from './doctor.ts';
import { exportTo, verify } from './history.ts';
import { withPages } from './packaged.ts';
import { resetPasswordOf } from './reset-password.ts';

export const processes = {
  dev,
  serve: (environment: Environment) => serve(withPages(environment)),
  work: (environment: Environment) => work(withPages(environment)),
  migrate: migrateDatabase,
  rebuildInsights: async (environment: Environment) => {
    await rebuildInsights(environment);
    console.log('Deleted the figures of Insights. Workers count them again. The page says when they are complete.');
  },
  exportHistory: exportTo,
  verify,
  resetPasswordOf,
  doctor: (options: DoctorOptions, environment: Environment) => doctor(options, withPages(environment)),
};
