/**
 * Random conditions in Python syntax with random inputs. They avoid what docs/reference/conditions.md documents as different from
 * Python: values other than true and false as truth values, reads from null, true and false as numbers, remainders of negative
 * numbers, whole numbers with a fraction in str, text as a list, order and sums of lists, and letters other than A to Z in lower and upper.
 */
import fc from 'fast-check';
import type { ConditionInputs } from '../src/conditions/evaluate-condition.ts';
import { conditionInputs } from './condition-inputs.ts';

export interface PythonCase {
  condition: string;
  inputs: ConditionInputs;
}

const { constantFrom, constant, oneof, tuple } = fc;
const join = (...parts: readonly fc.Arbitrary<string>[]) => tuple(...parts).map((texts) => texts.join(''));
const given = (text: string) => constant(text);

// Values. 0 and 1 are left out where they could be compared with true and false.
const number = constantFrom(2, 3, -4, 64, 2.5, -0.5, 0.8, 123_456.789, 0.000_01, 1.5e-10, Number.MAX_SAFE_INTEGER);
const countable = oneof(number, constantFrom(0, 1));
const code = oneof(
  constantFrom('T1', 't1_mprage', 'sub-01', 'PASS', 'yes', 'True', 'None', ''),
  fc.string({ unit: constantFrom('t', 'T', '1', '_', '-', ' '), maxLength: 4 }),
);
const blank = constantFrom(' ', '\n', '\t', '\u00A0', '\u0085', '\uFEFF', '\u2003');
const text = oneof(
  code,
  constantFrom('T1 é', 'T1😀', 'sub-ü', '12', '+3', '1_000', '1__0', '2.5', '0x10', '007'),
  join(blank, code, blank),
  fc.string({ unit: oneof(blank, constantFrom('0', '1', '7', '_', '-', '+')), maxLength: 5 }),
);
const flag = fc.boolean();
const absent = constant(undefined);
const nothing = constant(null);
const list = fc.array(oneof(number, code, nothing), { maxLength: 4 });
const row = fc.record({ type: oneof(text, text, nothing), ok: flag, n: oneof(number, number, absent) });
const map = fc.record({ a: oneof(number, code, absent), b: oneof(code, nothing) });
/** Mostly the first kind. */
const mostly = (usual: fc.Arbitrary<unknown>, ...others: readonly fc.Arbitrary<unknown>[]) =>
  oneof({ weight: 4, arbitrary: usual }, ...others);

const variables = fc
  .record({
    n: mostly(countable, nothing, map),
    m: mostly(countable, absent),
    t: mostly(text, nothing, countable, map, absent),
    z: oneof(text, list, flag, nothing, map, countable),
    u: mostly(text, absent),
    code: mostly(code, nothing, countable),
    w: oneof(text, countable, flag, nothing),
    f: flag,
    g: flag,
    h: mostly(flag, absent),
    any: oneof(number, text, flag, nothing, list, absent, map),
    xs: mostly(list, nothing, countable, map, absent),
    rows: mostly(fc.array(row, { maxLength: 3 }), nothing, countable),
    qc: mostly(map, absent, text, list, number),
  })
  .map((found) => JSON.parse(JSON.stringify(found)) as Record<string, unknown>);

const outcome = fc.record({
  status: constant('finished'),
  result: constantFrom('none', 'success', 'failed', 'timeout'),
  result_values: map,
});
const inputs = tuple(variables, outcome, outcome).map(([found, qc, send]) =>
  conditionInputs({ variables: found, callbacks: { qc, send }, externalIds: { XNAT: 'X_1' } }),
);

// Expressions.
const variable = (...names: readonly string[]) =>
  tuple(constantFrom(...names), constantFrom("['", '["', '.', ".get('")).map(
    ([name, opening]) => `experiment.variables${opening}${name}${closings[opening]}`,
  );
const closings: Record<string, string> = { "['": "']", '["': '"]', '.': '', ".get('": "')" };
const quoted = constantFrom('T1', 't1', 'sub-', 'pass', 'PASS', 'yes', '', '-', '1', '12', 'True', 'none').map(
  (t) => `'${t}'`,
);
const literal = constantFrom('0', '1', '2', '3', '12', '0.8', '2.5', '-4');
const withDefault = (name: string, value: fc.Arbitrary<string>) =>
  join(given(`experiment.variables.get('${name}', `), value, given(')'));

const ofCode = tuple(
  oneof(variable('code'), withDefault('code', quoted)),
  constantFrom('.lower()', '.upper()', '.strip().lower()', '.upper().strip()', '.strip()'),
).map((parts) => parts.join(''));
const label = constantFrom(
  'experiment.label',
  'subject.label',
  'cohort.label',
  "experiment.external_ids.get('XNAT', '')",
);
const result = tuple(
  constantFrom("callbacks['qc']", 'callbacks.send', "callbacks.get('qc')"),
  constantFrom('.result.name', '.result.value', '.result'),
).map((parts) => parts.join(''));
const texts = oneof(
  variable('t', 'u'),
  withDefault('u', quoted),
  ofCode,
  label,
  result,
  join(variable('t', 'z'), given('.strip()')),
  join(given('str('), oneof(variable('w'), given("int(experiment.variables['w'])")), given(')')),
  join(given('('), variable('t', 'u'), given(' + '), quoted, given(')')),
);
const numbers = oneof(
  variable('n', 'm'),
  withDefault('m', literal),
  join(given('len('), oneof(variable('t', 'xs', 'rows', 'qc', 'z'), texts, given('callbacks')), given(')')),
  join(given('len('), withDefault('xs', given('[]')), given(')')),
  join(given('int('), oneof(variable('w', 't', 'z'), literal, texts), given(')')),
  join(given("experiment.variables.get('qc', {}).get('a', "), literal, given(')')),
  join(given('('), variable('n'), constantFrom(' + ', ' - ', ' * ', ' / '), oneof(variable('m'), literal), given(')')),
  join(given('-'), variable('n', 'm')),
  join(constantFrom('-', '2 * ', '1 + '), given("(experiment.variables).get('m', "), literal, given(')')),
  join(given('len('), variable('u'), given(') % 3')),
);
const equals = constantFrom(' == ', ' != ');
const orders = constantFrom(' < ', ' <= ', ' > ', ' >= ');
const within = constantFrom(' in ', ' not in ');

/** Conditions on `x`, an element of rows or of a list. */
const ofRow = oneof(
  given("x['ok']"),
  given('not x.ok'),
  join(given("x['type']"), constantFrom('.startswith', '.endswith'), given('('), quoted, given(')')),
  join(given("x['type'] is "), constantFrom('None', 'not None')),
  join(given("x.get('n', "), literal, given(')'), orders, literal),
  join(given("x['ok'] and len(x['type'])"), orders, literal),
);
const ofElement = oneof(
  join(given('x'), equals, oneof(quoted, constantFrom('2', '3', 'None'))),
  join(given('x'), orders, oneof(quoted, literal)),
  join(given('int(x)'), orders, literal),
  join(given('x'), within, constantFrom("['T1', 2]", "experiment.variables['rows']")),
  given('x is not None and x.startswith("T")'),
);
const quantifier = constantFrom('all(', 'any(');
const quantified = oneof(
  join(
    quantifier,
    ofRow,
    constantFrom(" for x in experiment.variables['rows'])", ' for x in experiment.variables.rows)'),
  ),
  join(
    quantifier,
    ofElement,
    given(' for x in '),
    oneof(variable('xs'), withDefault('xs', given("['T1', 3]"))),
    given(')'),
  ),
  join(
    quantifier,
    constantFrom('experiment.variables.get(x, 2)', '-(experiment.variables).get(x, 2)'),
    orders,
    literal,
    given(" for x in ['m', 'n'])"),
  ),
  join(
    quantifier,
    given('callbacks[x].result'),
    constantFrom('', '.name', '.value'),
    equals,
    constantFrom("'success'", "'none'"),
    given(' for x in callbacks)'),
  ),
);

const simple = oneof(
  variable('f', 'g'),
  withDefault('h', constantFrom('True', 'False')),
  join(texts, constantFrom('.startswith(', '.endswith('), oneof(quoted, texts), given(')')),
  join(texts, equals, oneof(quoted, texts)),
  join(texts, orders, oneof(quoted, texts)),
  join(numbers, equals, oneof(literal, numbers)),
  join(numbers, orders, oneof(literal, numbers)),
  join(
    variable('any'),
    equals,
    oneof(quoted, constantFrom('2', '2.5', 'True', 'None', '[]', "experiment.variables['any']")),
  ),
  join(variable('any', 'u', 'xs'), constantFrom(' is None', ' is not None')),
  join(oneof(quoted, texts), within, constantFrom("['T1', 'pass', 'sub-01']", "['success', 'none']")),
  join(
    oneof(quoted, constantFrom('2', '64', 'None')),
    within,
    oneof(variable('xs'), withDefault('xs', given('[]')), given('callbacks')),
  ),
  quantified,
);

const { test } = fc.letrec<{ test: string }>((tie) => ({
  test: oneof(
    { maxDepth: 3, depthIdentifier: 'test' },
    { weight: 3, arbitrary: simple },
    { weight: 1, arbitrary: join(given('not '), simple) },
    { weight: 1, arbitrary: join(given('not ('), tie('test'), given(')')) },
    { weight: 2, arbitrary: join(tie('test'), constantFrom(' and ', ' or '), tie('test')) },
    { weight: 1, arbitrary: join(given('('), tie('test'), constantFrom(' and ', ' or '), tie('test'), given(')')) },
  ),
}));

/** Long conditions can exceed the limit of 200 parts. */
const condition = test.filter((python) => python.length <= 500);

export const pythonCase: fc.Arbitrary<PythonCase> = fc.record({ condition, inputs });
