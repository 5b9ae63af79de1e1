/** The API of this package for `milepost`, which combines it with the command line and the pages. No other package imports it. */
export { announce, announceWorker, firstPasswordFile } from './bin/announce.ts';
export { exportHistory, verifyDatabase, verifyFile, type Known, type Report } from './bin/history.ts';
export { rebuildInsights } from './bin/insights.ts';
export { migrateDatabase, serve, work } from './bin/processes.ts';
export { resetPassword } from './bin/reset-password.ts';
export { runUntilStopped } from './bin/run-until-stopped.ts';
export { createCheckpointKey } from './chain/checkpoint-key.ts';
export { given } from './config/secrets.ts';
export { readConfig, settings, SettingsError, type Config, type Environment } from './config.ts';
export { embeddedPostgres, isAlive } from './database/embedded-postgres.ts';
export { migrate } from './database/migrate.ts';
export { startCounterparts, startDemo, type Counterparts, type RunningDemo } from './demo/start-demo.ts';
export { examine, type Finding } from './doctor/examine.ts';
export { checkAddress } from './http/serve-metrics.ts';
export { startServer, type RunningServer } from './start-server.ts';
export { startWorker } from './start-worker.ts';
export { startParts, type StartedParts } from './started-parts.ts';
