import { ProblemError } from '@milepost/api';

/** Whether the server found fault with that field. */
export const isFaulty = (error: unknown, pointer: string): boolean =>
  error instanceof ProblemError && error.problem?.errors.some((fault) => fault.pointer === pointer) === true;
