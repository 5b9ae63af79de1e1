import { describe, expect, it } from 'vitest';
import { findRuledOut } from './ruled-out-phrases.ts';

describe('findRuledOut', () => {
  it.each([
    ['a page', 'a.tsx', '<h2>What needs somebody</h2>', 'somebody'],
    ['a problem', 'a.ts', `title: '3 things do not fit'`, 'things do not fit'],
    ['a comment', 'a.ts', '// Tried anew.', 'anew'],
    ['Markdown', 'docs/a.md', 'The token is over.', 'token is over'],
    ['an identifier', 'a.ts', 'const run = takeTurns(4);', 'takeTurns'],
  ])('reports a ruled-out phrase in %s', (_place, file, line, phrase) => {
    expect(findRuledOut(file, `first line\n${line}`)).toEqual([
      expect.stringContaining(`${file}:2: "${phrase}". Say: `),
    ]);
  });

  it.each(['The last step ends here.', 'Takes 5 s.', 'Over HTTPS.', 'The list is over 10,000 rows long.'])(
    'accepts the sentence %j',
    (line) => expect(findRuledOut('a.ts', line)).toEqual([]),
  );

  it('accepts a ruled-out phrase in a released migration', () => {
    expect(findRuledOut('packages/server/src/database/migrations/0001.ts', '// somebody')).toEqual([]);
  });
});
