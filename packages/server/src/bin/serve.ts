#!/usr/bin/env -S node --max-old-space-size=1024 --max-semi-space-size=16
/**
 * Runs a server. With the memory limits above, the process grows by 7 MB while it streams a list of 500,000 rows. Without
 * them, V8 keeps up to 170 MB of garbage.
 */
import { serve } from './processes.ts';

serve(process.env);
