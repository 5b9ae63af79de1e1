/**
 * `npm run strings`: prints every string that pages, problems, settings, logs and the command line can show, with its place:
 *   packages/web/src/pages/attention/attention-page.tsx:31: Needs attention
 * Parts that are filled in at run time are printed as {}.
 */
import { parseAst } from 'vite';
import { textOf, trackedFiles } from './tracked-files.ts';

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

export interface ShownString {
  line: number;
  text: string;
}

const sources = /^packages\/\w+\/src\/.*(?<!\.test)\.tsx?$/;

/** Strings below these are code: module names, types, SQL and the names of CSS classes. */
const codeTypes = new Set(['ImportDeclaration', 'ExportNamedDeclaration.source', 'TSLiteralType', 'TSEnumDeclaration']);
const codeAttributes = new Set(['className', 'name', 'type', 'id', 'to', 'href', 'htmlFor', 'role', 'd', 'viewBox']);
const codeTags = /^(?:sql|css)\b/;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** A sentence, a label ("Retry") or a few words; not an identifier, a path or a fragment of code. */
const isShown = (text: string): boolean =>
  (/[a-z]{2,},? [a-z(]/i.test(text) || /^[A-Z][a-z]+(?:[ -][A-Za-z]+)*[.:?!…]?$/.test(text)) &&
  !/^(?:select|insert|update|delete|with|create|alter|begin) /i.test(text) &&
  !/=>|\bvar\(--|; \w+=/.test(text);

export function shownStrings(file: string, source: string): ShownString[] {
  const found: ShownString[] = [];
  const add = ({ start }: Node, raw: string) => {
    const text = raw.replaceAll(/\s+/g, ' ').trim();
    const begin = start + raw.search(/\S/);
    if (isShown(text)) found.push({ line: source.slice(0, begin).split('\n').length, text });
  };
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file) as unknown as Node, add);
  return found;
}

function visit(node: Node, add: (node: Node, text: string) => void): void {
  if (isCode(node)) return;
  if (node.type === 'JSXText' || node.type === 'Literal') {
    if (typeof node['value'] === 'string') add(node, node['value']);
  } else if (node.type === 'TemplateLiteral') add(node, templateText(node));
  for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, add);
}

function isCode(node: Node): boolean {
  if (codeTypes.has(node.type)) return true;
  if (node.type === 'JSXAttribute') return codeAttributes.has(nameOf(node['name']));
  return node.type === 'TaggedTemplateExpression' && codeTags.test(nameOf(node['tag']));
}

const nameOf = (node: unknown): string => (isNode(node) && typeof node['name'] === 'string' ? node['name'] : '');

const templateText = ({ quasis }: Node): string =>
  (quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}');

if (import.meta.main) {
  for (const file of trackedFiles().filter((name) => sources.test(name))) {
    for (const { line, text } of shownStrings(file, textOf(file))) console.log(`${file}:${line}: ${text}`);
  }
}
