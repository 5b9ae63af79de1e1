#!/usr/bin/env -S node --max-old-space-size=1024 --max-semi-space-size=16
/** Runs callbacks. Settings come from the environment; as many of these may run as are wanted, anywhere. */
import { readConfig } from '../config.ts';
import { startWorker } from '../start-worker.ts';
import { announceWorker } from './announce.ts';
import { runUntilStopped } from './run-until-stopped.ts';

runUntilStopped(async () => {
  const worker = await startWorker(readConfig(process.env));
  announceWorker(worker);
  return worker;
});
