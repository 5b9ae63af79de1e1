/** Deletes the figures of Insights, so that workers count them again. */
import { readConfig, type Environment } from '../config.ts';
import { openDatabase } from '../database/connection.ts';
import { rebuildInsights as deleteFigures } from '../store/insights/progress.ts';

export async function rebuildInsights(environment: Environment): Promise<void> {
  const options = { applicationName: 'milepost insights', poolSize: 1, onError: () => undefined };
  const database = openDatabase({ ...readConfig(environment), ...options });
  try {
    await deleteFigures(database.db);
  } finally {
    await database.close();
  }
}
