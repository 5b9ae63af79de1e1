/**
 * Turns PostgreSQL errors into problems. Constraints also catch races that pass all earlier checks. The client then gets a 409
 * with an explanation instead of a 500.
 */
import { Problem } from '../errors.ts';

interface Duplicate {
  pointer: string;
  detail: string;
}

const duplicates: Record<string, Duplicate> = {
  cohorts_label_unique: { pointer: '/label', detail: 'Another cohort has this label.' },
  subjects_label_unique: { pointer: '/label', detail: 'Another subject in this cohort has this label.' },
  experiments_label_unique: { pointer: '/label', detail: 'Another experiment of this subject has this label.' },
  users_username_unique: { pointer: '/username', detail: 'Another user has this username.' },
  users_email_unique: { pointer: '/email', detail: 'Another user has this e-mail address.' },
  external_systems_system_name_unique: { pointer: '/system_name', detail: 'Another external system has this name.' },
  scantypes_protocol_unique: { pointer: '/protocol', detail: 'Another scan type has this protocol.' },
  views_name_unique: {
    pointer: '/name',
    detail: 'You have another view with this name. Choose another name, or change that view.',
  },
  roles_name_unique: { pointer: '/name', detail: 'Another role has this name.' },
};

export function problemFromDatabase(error: unknown): Problem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, constraint } = error as { code?: string; constraint?: string };
  const duplicate = code === '23505' ? duplicates[constraint ?? ''] : undefined;
  if (duplicate) return new Problem('already_exists', duplicate.detail, { faults: [duplicate], cause: error });
  // The subject was erased during the request.
  if (constraint === 'personal_keys_erased_check') {
    return new Problem('subject_erased', 'The subject was erased. You cannot add or change its data.', {
      cause: error,
    });
  }
  if (code === '23514') {
    return new Problem('invalid_request', `A value violates the constraint ${constraint}.`, { cause: error });
  }
  if (code === '57014') {
    return new Problem(
      'busy',
      'The request took too long and was cancelled. Request less data. Before you repeat a change, check whether it was saved.',
      {
        retryAfterSeconds: 1,
        cause: error,
      },
    );
  }
  if (transient.has(code ?? '') || (code === '23503' && cohortKeys.has(constraint ?? ''))) {
    return new Problem('busy', 'Another request is changing the same data. Nothing was saved. Try again in 1 second.', {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
  return isUnavailable(code, error.message)
    ? new Problem(
        'database_unavailable',
        'The database is not responding. Try again in 2 seconds. Before you repeat a change, check whether it was saved.',
        {
          retryAfterSeconds: 2,
          cause: error,
        },
      )
    : undefined;
}

/** Whether PostgreSQL cancelled the statement because it took too long. */
export const isTooSlow = (error: unknown): boolean => (error as { code?: unknown }).code === '57014';

/** Whether the same work can succeed later. A statement that takes too long would take too long again. */
export function isTemporary(error: unknown): boolean {
  const { code } = problemFromDatabase(error) ?? {};
  return code === 'database_unavailable' || (code === 'busy' && !isTooSlow(error));
}

/** Lock timeouts, serialisation failures and deadlocks: the same request can succeed the next time. */
const transient = new Set(['55P03', '40001', '40P01', '25P03']);

/** These foreign keys include the cohort. They fail if the subject moved to another cohort after it was read. */
const cohortKeys = new Set([
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

/** 08: connection lost, 53: out of resources, 57P: shutting down or starting up. Timeouts of the driver have no code. */
const isUnavailable = (code: string | undefined, message: string) =>
  /^(08|53|57P)/.test(code ?? '') ||
  networkErrors.has(code ?? '') ||
  /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error)/.test(
    message,
  );
