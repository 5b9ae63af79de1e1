/** What one look at an installation found. */
export interface Finding {
  what: string;
  outcome: 'ok' | 'warning' | 'failed';
  says: string;
  /** What to do about it. */
  remedy?: string;
}

export const ok = (what: string, says: string): Finding => ({ what, outcome: 'ok', says });

export const warning = (what: string, says: string, remedy: string): Finding => ({
  what,
  outcome: 'warning',
  says,
  remedy,
});

export const failed = (what: string, says: string, remedy: string): Finding => ({
  what,
  outcome: 'failed',
  says,
  remedy,
});
