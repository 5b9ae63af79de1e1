import { ProblemError } from '@milepost/api';

/** Whether the server rejected the value of this field. */
export const hasFieldError = (error: unknown, pointer: string): boolean =>
  error instanceof ProblemError && error.problem?.errors.some((fault) => fault.pointer === pointer) === true;
