/** What an action writes when it ends: each way on that was tried, as JSON text; or a sentence. */
export interface Trial {
  transition_id: number;
  destination: string;
  condition: string;
  /** Null: it was not for the workflow to take. */
  test_result: boolean | null;
  reason: string;
}

const isTrial = (value: unknown): value is Trial =>
  typeof value === 'object' &&
  value !== null &&
  'destination' in value &&
  typeof value.destination === 'string' &&
  'test_result' in value;

/** Undefined where the text is something else. */
export function readTrials(text: string): Trial[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) && read.every(isTrial) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The first that held was taken, and what stands behind it was not looked at. */
export function trialWord({ test_result }: Trial): string {
  if (test_result === null) return 'not tried';
  return test_result ? 'taken' : 'did not hold';
}
