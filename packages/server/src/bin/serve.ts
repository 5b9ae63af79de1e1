#!/usr/bin/env node
/** Serves the interface. Settings come from the environment; the database must have been migrated. */
import { readConfig } from '../config.ts';
import { startServer } from '../start-server.ts';
import { announce } from './announce.ts';
import { runUntilStopped } from './run-until-stopped.ts';

runUntilStopped(async () => {
  const server = await startServer(readConfig(process.env));
  announce(server);
  return server;
});
