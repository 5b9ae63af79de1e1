#!/usr/bin/env -S node --max-old-space-size=1024 --max-semi-space-size=16
/** Runs callbacks. Settings come from the environment; as many of these may run as are wanted, anywhere. */
import { work } from './processes.ts';

work(process.env);
