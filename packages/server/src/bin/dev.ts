#!/usr/bin/env node
/**
 * Everything on one machine, for development: PostgreSQL in the folder .data (or DATABASE_URL elsewhere), migrations,
 * the first account, the server. Only what goes wrong is logged; MILEPOST_LOG_LEVEL=info shows every request. Ctrl-C
 * ends all of it.
 */
import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { startServer } from '../start-server.ts';
import { announce } from './announce.ts';
import { developmentDatabase } from './development-database.ts';
import { runUntilStopped } from './run-until-stopped.ts';

runUntilStopped(async () => {
  const database = await developmentDatabase(resolve('.data'), process.env);
  try {
    const server = await startServer(readConfig({ MILEPOST_LOG_LEVEL: 'warn', ...process.env, ...database.settings }));
    announce(server);
    return {
      stop: async () => {
        await server.stop();
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
});
