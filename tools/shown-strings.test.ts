import { describe, expect, it } from 'vitest';
import { shownStrings } from './shown-strings.ts';

const textsOf = (source: string) => shownStrings('a.tsx', source).map(({ line, text }) => `${line} ${text}`);

describe('shownStrings', () => {
  it('finds texts in pages, attributes, problems and templates with their line numbers', () => {
    const source = `import { x } from 'some module';
    const page = <Section title="Needs attention">
      No cohorts yet.{' '}
      <b>Retry</b>
    </Section>;
    throw new Problem('not_found', \`No cohort with id \${id}.\`);`;
    expect(textsOf(source)).toEqual(['2 Needs attention', '3 No cohorts yet.', '4 Retry', '6 No cohort with id {}.']);
  });

  it('omits identifiers, classes, types and SQL', () => {
    const source = `type A = 'some text';
    const a = <p className="one two">{x['label']}</p>;
    const rows = sql\`select id from cohorts where label\`;
    const code = 'not_found';`;
    expect(textsOf(source)).toEqual([]);
  });
});
