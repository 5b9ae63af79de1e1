#!/usr/bin/env -S node --max-old-space-size=1024 --max-semi-space-size=16
/** Runs a worker. */
import { work } from './processes.ts';

work(process.env);
