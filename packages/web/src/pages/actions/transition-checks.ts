/** The return value of an action: the evaluated transitions as JSON, or a sentence. */
export interface TransitionCheck {
  transition_id: number;
  destination: string;
  condition: string;
  /** Null if the engine did not evaluate it: only people take it, or an earlier transition was taken. */
  test_result: boolean | null;
  reason: string;
}

const isTransitionCheck = (value: unknown): value is TransitionCheck =>
  typeof value === 'object' &&
  value !== null &&
  'destination' in value &&
  typeof value.destination === 'string' &&
  'test_result' in value;

/** Returns undefined for any other return value. */
export function readTransitionChecks(text: string): TransitionCheck[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) && read.every(isTransitionCheck) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The engine takes the first transition whose condition is met, and evaluates no later ones. */
export function checkOutcome({ test_result }: TransitionCheck): string {
  if (test_result === null) return 'not evaluated';
  return test_result ? 'taken' : 'not met';
}
