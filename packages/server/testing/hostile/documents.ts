/** Workflow files that an attacker could send to run code, fill the memory or block other requests. */
import fc from 'fast-check';
import { countIndicators, maxIndicators } from '@milepost/definitions';

const largest = 256 * 1024;

/** Adds pieces up to the longest accepted text and the highest accepted number of indicators. */
function filled(head: string, piece: (index: number) => string, tail = ''): string {
  const pieces: string[] = [];
  let room = largest - Buffer.byteLength(head + tail);
  let indicators = maxIndicators - countIndicators(head + tail);
  for (let next = piece(0); next.length <= room && countIndicators(next) <= indicators; next = piece(pieces.length)) {
    pieces.push(next);
    room -= next.length;
    indicators -= countIndicators(next);
  }
  return head + pieces.join('') + tail;
}

const state = 'label: hostile\nstates:\n- label: a\n';
const laughs = Array.from(
  { length: 9 },
  (_, level) => `a${level}: &a${level} [${level === 0 ? 'lol' : `*a${level - 1}, *a${level - 1}`}]`,
);
const aliases = Array.from(
  { length: 50 },
  (_, index) => `  - {label: c${index}, function: f, callback_arguments: *x}\n`,
).join('');

/** All of them are invalid definitions. */
export const handWrittenDocuments: readonly (readonly [about: string, text: string])[] = [
  ['a tag that runs code', 'label: !!js/function "function () { planted() }"\nstates: []\n'],
  ['a Python tag', 'label: !!python/object/apply:os.system ["id"]\nstates: []\n'],
  ['a Ruby tag', '--- !ruby/object:Gem::Requirement\nrequirements: []\n'],
  [
    'inherited property names',
    '__proto__: {planted2: 1}\nconstructor: {prototype: {planted2: 1}}\nlabel: w\nstates: []\n',
  ],
  ['inherited property names in a state', `${state}  __proto__: {planted2: 1}\n  toString: 1\n`],
  ['merge keys', 'a: &a {label: w}\n<<: *a\nstates: []\n'],
  ['a billion laughs attack', laughs.join('\n')],
  ['an alias to itself', 'label: w\nstates: &a [*a]\n'],
  [
    'a large value aliased fifty times',
    filled(
      `${state}  callbacks:\n  - {label: c, function: f, callback_arguments: &x {a: [`,
      () => '1,',
      `1]}}\n${aliases}`,
    ),
  ],
  ['thousands of anchors', filled('label: w\nstates: [', (index) => `&a${index} 1,`, '1]')],
  ['thousands of nested flow lists', filled('label: w\nstates: ', () => '[')],
  ['thousands of nested flow maps', filled('', () => '{')],
  ['more indicators than allowed', '{'.repeat(largest - 1)],
  ['thousands of nested block lists', filled('', () => '- ')],
  ['deep indentation', filled('', (index) => `${' '.repeat(Math.min(index, 700))}a:\n`)],
  ['an error in every second character', filled('', () => '! ')],
  ['thousands of duplicate keys', filled('', () => 'a: 1\n')],
  ['thousands of unknown keys', filled('', (index) => `k${index}: 1\n`)],
  ['thousands of tags', filled('x: [', () => '!a b,', '1]')],
  ['thousands of pairs in a list', filled('x: [', () => 'a: 1,', 'a: 1]')],
  ['a list with thousands of items', filled('states: [', () => 'a,', 'a]')],
  ['thousands of possible initial states', filled('label: w\nstates:\n', (index) => `- {label: s${index}}\n`)],
  [
    'thousands of states without an initial state',
    filled('label: w\nstates:\n', (index) => `- {label: s${index}, transitions: [{destination: s${index}}]}\n`),
  ],
  [
    'thousands of transitions to unknown states',
    filled('label: w\nstates:\n', (index) => `- {label: s${index}, transitions: [{destination: t${index}x}]}\n`),
  ],
  [
    'thousands of invalid conditions',
    filled(`${state}  transitions:\n`, () => '  - {destination: a, condition: "x ++"}\n'),
  ],
  [
    'thousands of placeholders without quotes',
    filled(
      `${state}  callbacks:\n`,
      (index) => `  - {label: c${index}, function: f, callback_arguments: {a: {{x}}}}\n`,
    ),
  ],
  ['a placeholder in a placeholder, thousands of times', filled(`${state}  freetext: `, () => '{{')],
  ['thousands of placeholders as keys', filled(`${state}  freetext: `, () => '{{x}}: ')],
  ['thousands of placeholders in one line', filled(`${state}  callback: {a: [`, () => '{{x}}/y, ', ']}')],
  [
    'thousands of placeholders that do not exist',
    filled(
      `${state}  callbacks: [{label: c, function: worker, callback_arguments: {queue: q, a: "`,
      () => '{{x}}',
      '"}}]',
    ),
  ],
  [
    'thousands of quotes inside quotes',
    filled(`${state}  transitions:\n`, () => `  - {destination: a, condition: "a["b"] == 'c'"}\n`),
  ],
  [
    'a wrong indentation before thousands of lines',
    filled(
      `${state}  callbacks:\n    - {label: c, function: f}\n`,
      (index) => `   - {label: c${index}, function: g}\n`,
    ),
  ],
  [
    'thousands of wrong indentations',
    filled(`${state}  callbacks:\n`, (index) => `${' '.repeat(3 + (index % 3))}- {label: c${index}, function: f}\n`),
  ],
  [
    'a very long label',
    `label: w\nstates: [{label: ${'x'.repeat(200_000)}, transitions: [{destination: ${'y'.repeat(1_000)}}]}]`,
  ],
  ['thousands of documents', filled('', () => '---\n')],
  ['nothing but blank lines', filled('', () => '\n')],
  ['nothing but comments', filled('', () => '#\n')],
  ['nothing but colons', filled('', () => ': ')],
  ['nothing but directives', filled('', () => '%YAML 1.2\n')],
  ['a text longer than allowed', 'a'.repeat(largest + 1)],
  ['an unpaired surrogate and a NUL', 'label: "\\ud800"\nstates: [{label: "\\0"}]\n'],
];

const words = fc.constantFrom(
  'label',
  'states',
  'initial',
  'transitions',
  'callbacks',
  'destination',
  'condition',
  'function',
  'source',
  '__proto__',
  'constructor',
  'toString',
  '<<',
  'callback',
  'callback_arguments',
  'variable_map',
  'by',
  '*a',
  '&a x',
);
const scalars = fc.oneof(
  words,
  fc.constantFrom(
    '!!js/function "x"',
    '!!binary aGk=',
    '!x y',
    '"\\ud800"',
    "'",
    '"',
    '|\n  a',
    '>-\n  b',
    '{{x}}',
    '.nan',
  ),
  fc.constantFrom(
    '1e999',
    '0x7f',
    '-0',
    '~',
    'yes',
    '2020-01-01',
    '\t',
    '%YAML 1.1',
    '---',
    '...',
    '? a',
    '[',
    '}',
    '- -',
  ),
  fc.constantFrom('"callbacks.x.result == 1"', '"process.exit()"', '"(((((("', '"a and not ("'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const { node } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    scalars,
    fc.array(tie('node'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
    fc
      .array(fc.tuple(words, tie('node')), { maxLength: 4 })
      .map((pairs) => `{${pairs.map((pair) => pair.join(': ')).join(', ')}}`),
    fc.tuple(tie('node'), fc.nat(200)).map(([inner, times]) => `${'['.repeat(times)}${inner}${']'.repeat(times)}`),
    fc
      .tuple(tie('node'), fc.nat(100))
      .map(([inner, times]) => `[${`${inner}, `.repeat(Math.min(times, 1_000 / (inner.length + 1)))}]`),
  ),
}));
const lines = fc
  .array(fc.tuple(fc.nat(6), fc.constantFrom('', '- '), words, fc.oneof(node, fc.constant(''))), { maxLength: 8 })
  .map((all) => all.map(([indent, dash, word, value]) => `${' '.repeat(indent)}${dash}${word}: ${value}`).join('\n'));
/** Looks like a real definition, with generated values in three places. */
const nearlyValid = fc
  .tuple(node, node, node)
  .map(
    ([one, other, third]) =>
      `label: w\nstates:\n- label: a\n  callbacks: ${one}\n  transitions: ${other}\n- ${third}\n`,
  );

/** At most 8,000 characters, so that they are parsed in the thread of the request. */
export const hostileDocument: fc.Arbitrary<string> = fc
  .oneof(lines, nearlyValid, node)
  .map((text) => text.slice(0, 8_000));
