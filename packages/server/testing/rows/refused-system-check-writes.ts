/** Writes to the checks of external systems that their constraints reject. */
import { long } from './refused-values.ts';

const check = (set: string) => `update external_system_checks set ${set}`;

export const refusedSystemCheckWrites: Record<string, string[]> = {
  external_system_checks_external_system_fk: [check('external_system_id = 99')],
  external_system_checks_checked_check: [check('checked_at = now()')],
  external_system_checks_result_check: [check(`checked_at = now(), result = 'slow', error = 'x'`)],
  external_system_checks_latency_check: [
    check('latency_ms = 1'),
    check(`checked_at = now(), result = 'reachable'`),
    check(`checked_at = now(), result = 'reachable', latency_ms = -1`),
  ],
  external_system_checks_error_check: [
    check(`error = 'x'`),
    check(`checked_at = now(), result = 'not_allowed'`),
    check(`checked_at = now(), result = 'not_allowed', error = ''`),
    check(`checked_at = now(), result = 'not_allowed', error = ${long(501)}`),
  ],
  external_system_checks_failing_check: [
    check('failing_since = now()'),
    check(`checked_at = now(), result = 'unreachable', error = 'x'`),
  ],
  external_system_checks_last_error_check: [
    check('last_error_at = now()'),
    check(`last_error = 'x'`),
    check(`last_error = '', last_error_at = now()`),
    check(`last_error = ${long(501)}, last_error_at = now()`),
  ],
};
