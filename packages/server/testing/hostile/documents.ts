/** Definition files that somebody might send to run something, to fill the memory, or to hold up others. */
import fc from 'fast-check';
import { marksIn, mostMarks } from '../../src/engine/documents/parse-yaml.ts';

const largest = 256 * 1024;

/** As many pieces as fit into the longest text that is read, with as many signs as are read. */
function filled(head: string, piece: (index: number) => string, tail = ''): string {
  const pieces: string[] = [];
  let room = largest - Buffer.byteLength(head + tail);
  let marks = mostMarks - marksIn(head + tail);
  for (let next = piece(0); next.length <= room && marksIn(next) <= marks; next = piece(pieces.length)) {
    pieces.push(next);
    room -= next.length;
    marks -= marksIn(next);
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

/** By hand, with what each is about. None of them is a definition that could be taken. */
export const handWrittenDocuments: readonly (readonly [about: string, text: string])[] = [
  ['a tag that runs code', 'label: !!js/function "function () { planted() }"\nstates: []\n'],
  ['a tag of Python', 'label: !!python/object/apply:os.system ["id"]\nstates: []\n'],
  ['a tag of Ruby', '--- !ruby/object:Gem::Requirement\nrequirements: []\n'],
  [
    'names that objects inherit',
    '__proto__: {planted2: 1}\nconstructor: {prototype: {planted2: 1}}\nlabel: w\nstates: []\n',
  ],
  ['inherited names in states', `${state}  __proto__: {planted2: 1}\n  toString: 1\n`],
  ['merge keys', 'a: &a {label: w}\n<<: *a\nstates: []\n'],
  ['the billion laughs', laughs.join('\n')],
  ['an alias of itself', 'label: w\nstates: &a [*a]\n'],
  [
    'a large value aliased fifty times',
    filled(
      `${state}  callbacks:\n  - {label: c, function: f, callback_arguments: &x {a: [`,
      () => '1,',
      `1]}}\n${aliases}`,
    ),
  ],
  ['anchors without end', filled('label: w\nstates: [', (index) => `&a${index} 1,`, '1]')],
  ['lists in lists', filled('label: w\nstates: ', () => '[')],
  ['maps in maps', filled('', () => '{')],
  ['more signs than are read', '{'.repeat(largest - 1)],
  ['lists in lists in lines', filled('', () => '- ')],
  ['deep indentation', filled('', (index) => `${' '.repeat(Math.min(index, 700))}a:\n`)],
  ['a fault in every second character', filled('', () => '! ')],
  ['one name again and again', filled('', () => 'a: 1\n')],
  ['thousands of names', filled('', (index) => `k${index}: 1\n`)],
  ['tags without end', filled('x: [', () => '!a b,', '1]')],
  ['pairs in lists', filled('x: [', () => 'a: 1,', 'a: 1]')],
  ['a list of nothing but commas', filled('states: [', () => 'a,', 'a]')],
  ['thousands of possible starts', filled('label: w\nstates:\n', (index) => `- {label: s${index}}\n`)],
  [
    'thousands of states without a start',
    filled('label: w\nstates:\n', (index) => `- {label: s${index}, transitions: [{destination: s${index}}]}\n`),
  ],
  [
    'thousands of ways to nowhere',
    filled('label: w\nstates:\n', (index) => `- {label: s${index}, transitions: [{destination: t${index}x}]}\n`),
  ],
  [
    'thousands of conditions that cannot be read',
    filled(`${state}  transitions:\n`, () => '  - {destination: a, condition: "x ++"}\n'),
  ],
  [
    'a label as long as the file',
    `label: w\nstates: [{label: ${'x'.repeat(200_000)}, transitions: [{destination: ${'y'.repeat(1_000)}}]}]`,
  ],
  ['many documents', filled('', () => '---\n')],
  ['blank lines', filled('', () => '\n')],
  ['comments', filled('', () => '#\n')],
  ['colons', filled('', () => ': ')],
  ['directives', filled('', () => '%YAML 1.2\n')],
  ['more than is read', 'a'.repeat(largest + 1)],
  ['halves of characters', 'label: "\\ud800"\nstates: [{label: "\\0"}]\n'],
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
/** As the real ones look, up to one thing. */
const nearlyRight = fc
  .tuple(node, node, node)
  .map(
    ([one, other, third]) =>
      `label: w\nstates:\n- label: a\n  callbacks: ${one}\n  transitions: ${other}\n- ${third}\n`,
  );

/** Of at most 8,000 characters, which are read where the request is. */
export const hostileDocument: fc.Arbitrary<string> = fc
  .oneof(lines, nearlyRight, node)
  .map((text) => text.slice(0, 8_000));
