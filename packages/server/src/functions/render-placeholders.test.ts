import { placeholderNames, placeholderPrefixes } from '@milepost/definitions';
import { describe, expect, it } from 'vitest';
import { makeRun, testSecret } from '../../testing/callback-run.ts';
import { PermanentFailure } from './callback-function.ts';
import { renderPlaceholders, type Source } from './render-placeholders.ts';

const { run } = makeRun({});
const source: Source = {
  ...run,
  experiment: {
    ...run.experiment,
    externalIds: { XNAT: 'XNAT_E00003', 'a.b c': 'dotted', tricky: '{{execution.secret}} $CALLBACK_SECRET $& $1' },
    variables: { urgent: true, grade: 2, list: ['a'], nothing: null, path: '../x/y?z', up: '..' },
  },
  externalSystems: { XNAT: 'https://xnat.example.org/', Castor: 'https://castor.example.org', 'my box': 'http://box' },
};
const render = (text: string) => renderPlaceholders({ a: text }, source)['a'];

const isNamed = (name: string) => placeholderPrefixes.some((prefix) => name.startsWith(prefix));

describe('the placeholders that imports accept', () => {
  it.each(placeholderNames)('have a value: %s', (name) => {
    expect(render(`{{${name}}}`)).not.toContain('{{');
  });

  it('are all that runs fill in', () => {
    const { message } = thrownBy(() => render('{{}}'));
    const listed = /Expected one of: (.*)\./.exec(message)?.[1]?.split(', ') ?? [];
    expect(listed.filter((name) => !isNamed(name)).toSorted()).toEqual([...placeholderNames].toSorted());
    expect(placeholderPrefixes.filter((prefix) => !listed.some((name) => name.startsWith(prefix)))).toEqual([]);
  });
});

function thrownBy(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

describe('a placeholder', () => {
  it.each([
    ['{{experiment.label}}', 'exp_3'],
    ['{{ experiment.label }}', 'exp_3'],
    ['{{experiment.id}}', '3'],
    ['{{experiment.api_uri}}', 'https://milepost.example.org/api/v2/experiments/3'],
    ['{{experiment.web_uri}}', 'https://milepost.example.org/experiments/3'],
    ['{{experiment.external_ids.XNAT}}', 'XNAT_E00003'],
    ['{{experiment.external_ids.a.b c}}', 'dotted'],
    ['{{experiment.variables.urgent}}', 'true'],
    ['{{experiment.variables.grade}}', '2'],
    ['{{experiment.variables.list}}', '["a"]'],
    ['{{subject.label}}', 'sub_2'],
    ['{{subject.id}}', '2'],
    ['{{subject.external_ids.XNAT}}', 'XNAT_S00002'],
    ['{{subject.api_uri}}', 'https://milepost.example.org/api/v2/subjects/2'],
    ['{{cohort.label}} {{cohort.id}}', 'first 1'],
    ['{{action.id}}', '5'],
    ['{{action.web_uri}}', 'https://milepost.example.org/actions/5'],
    ['{{execution.id}}-{{execution.attempt}}', '7-2'],
    ['{{execution.api_uri}}', 'https://milepost.example.org/api/v2/callback_executions/7'],
    ['{{execution.web_uri}}', 'https://milepost.example.org/callback_executions/7'],
    ['{{execution.secret}}', testSecret],
    ['{{external_systems.XNAT}}check', 'https://xnat.example.org/check'],
    ['{{external_systems.my box}}', 'http://box'],
    ['a {{experiment.label}} b {{experiment.label}} c', 'a exp_3 b exp_3 c'],
    ['$EXPERIMENT', 'https://milepost.example.org/api/v2/experiments/3'],
    ['$SUBJECT', 'https://milepost.example.org/api/v2/subjects/2'],
    ['$XNAT', 'https://xnat.example.org/'],
    ['--url=$XNAT', '--url=https://xnat.example.org/'],
    ['$CALLBACK_EXECUTION', 'https://milepost.example.org/api/v2/callback_executions/7'],
    ['$CALLBACK_SECRET', testSecret],
    ['$CASTOR/study', 'https://castor.example.org/study'],
    ['$Castor', 'https://castor.example.org'],
  ])('such as %s becomes %s', (text, filled) => {
    expect(render(text)).toBe(filled);
  });

  it.each([
    '',
    'nothing at all',
    '{experiment}',
    '{"a": {"b": 1}}',
    '{{',
    '}}',
    '{{experiment.label}',
    '$HOME and $5 and $',
    '$EXPERIMENT_ID',
    '$EXPERIMENTS',
    '$experiment',
    '$castor',
    '${XNAT}',
    '$toString $__proto__',
  ])('is not recognised in %j', (text) => {
    expect(render(text)).toBe(text);
  });

  it.each([
    ['{{experiment.lable}}', 'Did you mean "experiment.label"?'],
    ['x {{}} y', 'Expected one of: experiment.id'],
    ['{{experiment}}', 'Did you mean "experiment.id"?'],
    ['{{experiment.external_ids.CASTOR}}', 'has no value'],
    ['{{experiment.external_ids.xnat}}', 'Did you mean "experiment.external_ids.XNAT"?'],
    ['{{experiment.variables.nothing}}', 'has no value'],
    ['{{experiment.variables.absent}}', 'has no value'],
    ['{{external_systems.PACS}}', 'has no value'],
    ['{{external_systems.toString}}', 'has no value'],
    ['{{constructor}}', 'has no value'],
    ['{{__proto__}}', 'has no value'],
    ['{{experiment.__proto__}}', 'has no value'],
    ['{{experiment.variables.__proto__}}', 'has no value'],
    ['{{process.env.DATABASE_URL}}', 'has no value'],
    ['{{1+1}}', 'has no value'],
  ])('such as %s without a value is a permanent failure', (text, why) => {
    expect(() => render(text)).toThrow(PermanentFailure);
    expect(() => render(text)).toThrow(why);
    const [named = ''] = /\{\{.*\}\}/.exec(text) ?? [];
    expect(() => render(text)).toThrow(named);
  });

  it('such as $XNAT is a permanent failure if no such external system exists', () => {
    expect(() => renderPlaceholders({ a: '$XNAT' }, { ...source, externalSystems: {} })).toThrow('$XNAT has no value');
  });

  it('that is unknown is reported without revealing other values', () => {
    expect(() => render('{{no}}')).toThrow(/^(?!.*(Q2hhbmdl|exp_3|xnat\.example)).*$/s);
  });
});

describe('an inserted value', () => {
  it('is not read as a placeholder', () => {
    expect(render('{{experiment.external_ids.tricky}}')).toBe('{{execution.secret}} $CALLBACK_SECRET $& $1');
  });

  it('does not form a placeholder with another value (V1.3.7)', () => {
    const split = {
      ...source,
      cohort: { id: 1, label: '{{execution.' },
      subject: { ...source.subject, label: 'secret}}' },
    };
    expect(renderPlaceholders({ a: '{{cohort.label}}{{subject.label}}' }, split)['a']).toBe('{{execution.secret}}');
  });
});

describe('placeholders in arguments', () => {
  it('are filled in at any depth, but not in property names', () => {
    const given = {
      body: { list: ['{{subject.label}}', 1, true, null, { '{{subject.label}}': '$XNAT' }] },
      $XNAT: '{{experiment.id}}',
      number: 5,
    };
    const before = structuredClone(given);
    expect(renderPlaceholders(given, source)).toEqual({
      body: { list: ['sub_2', 1, true, null, { '{{subject.label}}': 'https://xnat.example.org/' }] },
      $XNAT: '3',
      number: 5,
    });
    expect(given).toEqual(before);
  });
});

describe('a value in `url`', () => {
  it('is percent-encoded, unlike a value in other arguments (V1.2.2)', () => {
    const url =
      '{{external_systems.XNAT}}{{experiment.variables.path}}?at={{execution.api_uri}}&grade={{experiment.variables.grade}}';
    expect(renderPlaceholders({ url, body: { url: '{{experiment.variables.path}}' } }, source)).toEqual({
      url: 'https://xnat.example.org/..%2Fx%2Fy%3Fz?at=https://milepost.example.org/api/v2/callback_executions/7&grade=2',
      body: { url: '../x/y?z' },
    });
  });

  it('is rejected if it is ".."', () => {
    expect(() => renderPlaceholders({ url: '$XNAT/a/{{experiment.variables.up}}/b' }, source)).toThrow(
      '{{experiment.variables.up}} is "..", which is not allowed in a URL.',
    );
  });
});
