/** The placeholders of arguments: `{{experiment.label}}`. The worker fills them in for each run. */
import { suggestion } from '@milepost/api';

/** Those with a fixed name. */
export const placeholderNames: readonly string[] = [
  ...['experiment', 'subject', 'action', 'execution'].flatMap((of) => [`${of}.id`, `${of}.api_uri`, `${of}.web_uri`]),
  'experiment.label',
  'subject.label',
  'cohort.id',
  'cohort.label',
  'execution.attempt',
  'execution.secret',
];

export const variablePrefix = 'experiment.variables.';
export const systemPrefix = 'external_systems.';
/** Those with a name that the study defines, which can contain dots. */
export const placeholderPrefixes: readonly string[] = [
  'experiment.external_ids.',
  variablePrefix,
  'subject.external_ids.',
  systemPrefix,
];

export interface PlaceholderUse {
  name: string;
  /** In the text. */
  offset: number;
}

/** The older form `$XNAT` is an error without such a system. Other words after a dollar sign can be plain text. */
const pattern = /\{\{([^{}]*)\}\}|\$(XNAT)\b/g;

export const placeholdersIn = (text: string): PlaceholderUse[] =>
  [...text.matchAll(pattern)].map(({ 1: path, 2: system, index }) => ({
    name: path === undefined ? `${systemPrefix}${system}` : path.trim(),
    offset: index,
  }));

export const hasPlaceholder = (text: string): boolean => /\{\{[^{}]*\}\}|\$[A-Za-z_]/.test(text);

/** Undefined if a run can fill it in. */
export function faultOfPlaceholder(name: string): string | undefined {
  if (placeholderNames.includes(name)) return undefined;
  if (placeholderPrefixes.some((prefix) => name.startsWith(prefix) && name.length > prefix.length)) return undefined;
  const last = name.slice(name.lastIndexOf('.') + 1);
  const known = [
    ...placeholderNames,
    ...placeholderPrefixes.map((prefix) => prefix + (name.includes('.') ? last : 'NAME')),
  ];
  return `{{${name.slice(0, 100)}}} is not a placeholder. ${suggestion(name, known)}`;
}
