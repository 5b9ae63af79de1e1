/** The result of one check of the installation. */
export interface Finding {
  check: string;
  outcome: 'ok' | 'warning' | 'failed';
  message: string;
  /** What to do about it. */
  remedy?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, outcome: 'ok', message });

export const warning = (check: string, message: string, remedy: string): Finding => ({
  check,
  outcome: 'warning',
  message,
  remedy,
});

export const failed = (check: string, message: string, remedy: string): Finding => ({
  check,
  outcome: 'failed',
  message,
  remedy,
});
