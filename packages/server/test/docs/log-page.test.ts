/** Compares the page of the log with every line that servers and workers can log. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const page = readFileSync(`${root}docs/reference/log.md`, 'utf8');

interface Node {
  type: string;
  [field: string]: unknown;
}

interface LogLine {
  message: string;
  /** Undefined if the level depends on the case. */
  level: string | undefined;
  fields: string[];
}

const levels = ['debug', 'info', 'warn', 'error', 'fatal'];
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
const nodeIn = (node: Node, field: string) => node[field] as Node;

function* nodesBelow(node: Node): Generator<Node> {
  yield node;
  for (const child of Object.values(node).flat()) if (isNode(child)) yield* nodesBelow(child);
}

/** `log`, `logger`, `request.log`, `http.log` and so on. */
const isLog = (node: Node): boolean =>
  /^log(?:ger)?$/.test(String(node.type === 'MemberExpression' ? nodeIn(node, 'property')['name'] : node['name']));

function logLineOf(node: Node): LogLine | undefined {
  const callee = node.type === 'CallExpression' ? nodeIn(node, 'callee') : undefined;
  if (callee?.type !== 'MemberExpression' || !isLog(nodeIn(callee, 'object'))) return undefined;
  const level = String(nodeIn(callee, 'property')['name']);
  const [object, message] = node['arguments'] as Node[];
  // Remarks on settings are sentences without fields.
  if (object?.type !== 'ObjectExpression') return undefined;
  if (message?.type !== 'Literal') throw new Error('Log a literal message, so that operators can search for it.');
  const keys = (object['properties'] as Node[]).filter(({ type }) => type === 'Property');
  return {
    message: String(message['value']),
    level: callee['computed'] === true ? undefined : level,
    fields: keys.map((property) => String(nodeIn(property, 'key')['name'])),
  };
}

const files = globSync('packages/server/src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
const inCode = files.flatMap((file) => {
  const tree = parseAst(readFileSync(root + file, 'utf8'), { lang: 'ts' }, file) as unknown as Node;
  return [...nodesBelow(tree)].flatMap((node) => logLineOf(node) ?? []);
});

/** Rows: | `message` | level | `field`, `field` | meaning | */
const onPage = new Map(
  Array.from(page.matchAll(/^\| `([^`]+)` \| ((?:\w+)(?:, \w+)*) \| (.*?) \| .+ \|$/gm), (row) => {
    const [, message = '', level = '', fields = ''] = row;
    return [
      message,
      { levels: level.split(', '), fields: Array.from(fields.matchAll(/`(\w+)`/g), ([, name]) => name) },
    ];
  }),
);

describe('docs/reference/log.md', () => {
  it('lists every message, and no other', () => {
    expect(inCode.length).toBeGreaterThan(20);
    expect([...onPage.keys()].toSorted()).toEqual([...new Set(inCode.map(({ message }) => message))].toSorted());
  });

  it.each(inCode)('lists the level and the fields of "$message"', ({ message, level, fields }) => {
    const row = onPage.get(message);
    expect(levels).toEqual(expect.arrayContaining(row?.levels ?? ['not on the page']));
    if (level !== undefined) expect(row?.levels).toContain(level);
    expect(row?.fields).toEqual(expect.arrayContaining(fields));
  });

  it('describes every field that it lists', () => {
    const listed = new Set([...onPage.values()].flatMap((row) => row.fields));
    const described = new Set(
      Array.from(page.matchAll(/^\| `(\w+)` \| (?!(?:info|warn|error))/gm), ([, name]) => name),
    );
    expect([...listed].filter((name) => !described.has(name))).toEqual([]);
  });
});
