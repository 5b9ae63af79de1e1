/** Exit codes, and errors that end a command with one of them. Scripts rely on the codes (docs/reference/command-line.md). */

export const exitCodes = {
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  notFound: 4,
  conflict: 5,
  unreachable: 6,
  interrupted: 130,
} as const;

export type ExitReason = keyof typeof exitCodes;

/** `remedy` says what to do, on a line of its own. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly reason: ExitReason;
  readonly remedy: string | undefined;

  constructor(reason: ExitReason, message: string, remedy?: string) {
    super(message);
    this.reason = reason;
    this.remedy = remedy;
  }
}

export const usage = (message: string, remedy?: string): Failure => new Failure('usage', message, remedy);
