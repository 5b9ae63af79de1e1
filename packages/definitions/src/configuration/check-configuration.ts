/** Checks a parsed configuration file beyond its schema. */
import type { Fault } from '@milepost/api';
import { onLine, readAllowed, withoutAllowed } from '../file/allowed-warnings.ts';
import { isObject, type Entry } from '../file/entries.ts';
import { warningCodes } from '../file/finding-codes.ts';
import { firstFaults, firstWarnings, placeFaults, placeWarnings, type Warning } from '../file/findings.ts';
import type { YamlDocument } from '../file/parse-yaml.ts';
import type { ConfigDefinition } from './configuration-file.ts';
import { findDuplicates } from './find-duplicates.ts';
import { warningsAboutRoles } from './find-warnings.ts';

export interface ConfigurationReading {
  /** Undefined if there are faults. */
  config: ConfigDefinition | undefined;
  faults: Fault[];
  warnings: Warning[];
}

/** `document` is the text parsed with the schema `ConfigDefinition`. `pointer` is the location of the text in the body. */
export function checkConfiguration(text: string, document: YamlDocument, pointer: string): ConfigurationReading {
  const { value, positions } = document;
  const file: Entry = { pointer: '', value: isObject(value) ? value : {} };
  const source = { lines: text.split('\n'), positions };
  const comments = readAllowed(text);
  const found = [
    ...document.faults,
    ...comments.faults.map((fault) => ({ ...onLine(fault), pointer })),
    ...placeFaults(source, pointer, findDuplicates(file, positions)),
  ];
  // A fault can hide warnings.
  const unchecked = found.length > 0 ? warningCodes : [];
  const warnings = withoutAllowed(placeWarnings(source, warningsAboutRoles(file)), comments, unchecked);
  const config = found.length === 0 ? (value as ConfigDefinition) : undefined;
  return { config, faults: firstFaults(found, pointer), warnings: firstWarnings(warnings) };
}
