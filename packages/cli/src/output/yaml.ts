/** Writes YAML. Texts that could be read as something else are quoted as in JSON, which is valid YAML. */
import type { Row } from './cells.ts';

const plainText = /^[A-Za-z][\w ./-]*$/;
const reserved = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

const scalar = (value: unknown): string =>
  typeof value === 'string' && plainText.test(value) && !reserved.test(value) && !value.endsWith(' ')
    ? value
    : (JSON.stringify(value) ?? 'null');

const isCollection = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isEmpty = (value: object) => Object.keys(value).length === 0;

function lines(value: unknown): string[] {
  if (!isCollection(value)) return [scalar(value)];
  if (isEmpty(value)) return [Array.isArray(value) ? '[]' : '{}'];
  if (Array.isArray(value)) return value.flatMap((one) => indent(lines(one), '- '));
  return Object.entries(value as Row).flatMap(([key, one]) => entry(scalar(key), one));
}

const indent = (block: readonly string[], first: string): string[] =>
  block.map((line, index) => `${index === 0 ? first : '  '}${line}`);

function entry(key: string, value: unknown): string[] {
  const block = lines(value);
  return isCollection(value) && !isEmpty(value)
    ? [`${key}:`, ...block.map((line) => `  ${line}`)]
    : [`${key}: ${block[0] ?? ''}`];
}

export const yamlText = (value: unknown): string => `${lines(value).join('\n')}\n`;
