import { ProblemError } from '@milepost/api/client';

/** Repeating the request would fail again. Failures of the network and of the server, and rate limits, are temporary. */
export const isFinal = (error: unknown): error is ProblemError =>
  error instanceof ProblemError && error.status < 500 && error.status !== 429;
