import { describe, expect, it } from 'vitest';
import { plainLook } from '../../status/state-looks.ts';
import { csvHead, csvLine, csvRow } from './matrix-csv.ts';
import type { MatrixSubject } from './use-cohort.ts';

describe('the CSV of the matrix', () => {
  it('has a column for each visit, with the state and what needs attention', () => {
    const experiment = {
      visit: 'baseline',
      incidents: ['failed'],
      waits: null,
      overdue: false,
      state: { id: 3, label: 'archiving' },
    };
    const subject = {
      label: 'MC-0008',
      withdrawn: { date: '2025-04-11', erased_at: null },
      last_activity: null,
      experiments: [experiment, { ...experiment, id: 2, visit: 'extra', incidents: [] }],
    } as unknown as MatrixSubject;
    expect(csvHead(['baseline', 'month-6'])).toBe('Subject,Withdrawn,baseline,month-6,Other,Last activity\r\n');
    expect(csvRow(subject, ['baseline', 'month-6'], plainLook)).toBe(
      'MC-0008,2025-04-11,archiving (failed),,extra: archiving,\r\n',
    );
  });

  it('quotes commas and quotes, and keeps a spreadsheet from running a label as a formula', () => {
    expect(csvLine(['a,b', 'say "x"', '=1+1', '-5'])).toBe(`"a,b","say ""x""",'=1+1,'-5\r\n`);
  });
});
