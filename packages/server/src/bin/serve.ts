#!/usr/bin/env -S node --max-old-space-size=1024 --max-semi-space-size=16
/**
 * Serves the interface. Settings come from the environment; the database must have been migrated. With the limits above
 * the process grows by 7 MB while it streams a list of 500,000 rows; left alone, V8 lets up to 170 MB of garbage lie.
 */
import { serve } from './processes.ts';

serve(process.env);
