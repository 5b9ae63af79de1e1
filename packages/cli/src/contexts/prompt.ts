/** Questions to the user. Without a terminal there are none: the command says which option answers them. */
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Failure, usage } from '../run/failure.ts';

export const hasTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(question)).trim();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw interrupted();
    throw error;
  } finally {
    lines.close();
  }
}

const interrupted = () => new Failure('interrupted', 'Interrupted. Nothing was changed.');

/** Does not show what is typed. */
export async function askSecret(question: string): Promise<string> {
  // First, so that the terminal shows nothing of what is typed right after the question.
  process.stdin.setRawMode(true);
  process.stderr.write(question);
  let secret = '';
  try {
    for await (const chunk of process.stdin.iterator({ destroyOnReturn: false })) {
      for (const key of String(chunk)) {
        if (key === '\u0003') throw interrupted();
        if (key === '\r' || key === '\n' || key === '\u0004') return secret;
        secret = key === '\u007F' || key === '\b' ? secret.slice(0, -1) : secret + key;
      }
    }
    return secret;
  } finally {
    process.stdin.setRawMode(false);
    process.stdin.pause();
    process.stderr.write('\n');
  }
}

/** A secret in standard input, without the end of its line. */
export const readSecret = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, '');

/** Called before long work whose end asks for a confirmation. */
export function requireConfirmable(isConfirmed: boolean): void {
  if (!isConfirmed && !hasTerminal())
    throw usage('There is no terminal to ask for a confirmation.', 'Add --yes to confirm.');
}

export async function confirm(question: string, isConfirmed: boolean): Promise<void> {
  requireConfirmable(isConfirmed);
  if (isConfirmed) return;
  if (/^y(?:es)?$/i.test(await ask(`${question} [y/N] `))) return;
  throw new Failure('failed', 'Not confirmed. Nothing was changed.');
}

export const yesOption = { yes: { short: 'y', about: 'do not ask for confirmation' } } as const;
