/**
 * Turns what PostgreSQL refuses into problems. Constraints are the last word: a race that got past every check of ours
 * ends here in a 409 with a sentence, not in a 500.
 */
import { Problem } from '../errors.ts';

interface Refusal {
  pointer: string;
  detail: string;
}

const duplicates: Record<string, Refusal> = {
  cohorts_label_unique: { pointer: '/label', detail: 'Another cohort has this label.' },
  subjects_label_unique: { pointer: '/label', detail: 'Another subject of this cohort has this label.' },
  experiments_label_unique: { pointer: '/label', detail: 'Another experiment of this subject has this label.' },
  users_username_unique: { pointer: '/username', detail: 'Another user has this username.' },
  users_email_unique: { pointer: '/email', detail: 'Another user has this e-mail.' },
  external_systems_system_name_unique: { pointer: '/system_name', detail: 'Another external system has this name.' },
  scantypes_protocol_unique: { pointer: '/protocol', detail: 'Another scan type has this protocol.' },
  roles_name_unique: { pointer: '/name', detail: 'Another role has this name.' },
};

export function problemFromDatabase(error: unknown): Problem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, constraint } = error as { code?: string; constraint?: string };
  const duplicate = code === '23505' ? duplicates[constraint ?? ''] : undefined;
  if (duplicate) return new Problem('already_exists', duplicate.detail, { faults: [duplicate], cause: error });
  // Somebody was erased while this was on its way.
  if (constraint === 'personal_keys_erased_check') {
    return new Problem('subject_erased', 'The subject was erased: nothing is written down about it again.', {
      cause: error,
    });
  }
  if (code === '23514') {
    return new Problem('invalid_request', `A value does not fit what can be stored (${constraint}).`, { cause: error });
  }
  if (code === '57014') {
    return new Problem(
      'busy',
      'This took too long and was stopped. Ask for less; if it was a change, look whether it was saved before you repeat it.',
      {
        retryAfterSeconds: 1,
        cause: error,
      },
    );
  }
  if (passing.has(code ?? '') || (code === '23503' && carried.has(constraint ?? ''))) {
    return new Problem('busy', 'Others are changing the same data. Nothing was saved; try again.', {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
  return isUnavailable(code, error.message)
    ? new Problem(
        'database_unavailable',
        'The database does not answer. Try again in a moment; if it was a change, look first whether it was saved.',
        {
          retryAfterSeconds: 2,
          cause: error,
        },
      )
    : undefined;
}

/** Lock timeouts, serialisation failures, deadlocks: the same request may succeed the next time. */
const passing = new Set(['55P03', '40001', '40P01', '25P03']);

/** These keys carry the cohort of a subject: it went to another one since it was read, and will be read anew. */
const carried = new Set([
  'experiments_subject_fk',
  'external_subject_links_subject_fk',
  'external_experiment_links_experiment_fk',
  'scans_experiment_fk',
]);

const networkErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);

/** 08: connection lost; 53: no room; 57P: shutting down or starting up. The driver has no codes for its own time-outs. */
const isUnavailable = (code: string | undefined, message: string) =>
  /^(08|53|57P)/.test(code ?? '') ||
  networkErrors.has(code ?? '') ||
  /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error)/.test(
    message,
  );
