/** The closed list of what can be wrong with a workflow or configuration file (docs/reference/lint.md). */
export const errorCodes = [
  'file_limit',
  'yaml_syntax',
  'yaml_feature',
  'unquoted_placeholder',
  'unquoted_condition',
  'unquoted_text',
  'wrong_indentation',
  'repeated_key',
  'unknown_field',
  'missing_field',
  'invalid_value',
  'repeated_label',
  'unknown_state',
  'no_initial_state',
  'unknown_argument',
  'missing_argument',
  'invalid_argument',
  'unknown_placeholder',
  'invalid_condition',
  'invalid_allow',
] as const;

export const warningCodes = [
  'unreachable_state',
  'waits_for_user',
  'accidental_end',
  'endless_loop',
  'useless_setting',
  'same_colour',
  'shadowed_transition',
  'ignores_failure',
  'unset_variable',
  'unknown_system',
  'invalid_arguments',
  'endless_run',
  'unknown_function',
  'unknown_permission',
  'ignored_part',
  'unused_allow',
] as const;

export type ErrorCode = (typeof errorCodes)[number];
export type WarningCode = (typeof warningCodes)[number];
export type FindingCode = ErrorCode | WarningCode;

/** The codes of faults that a schema finds, by their sentence. */
export function codeOfSchemaFault(detail: string): ErrorCode {
  if (detail.includes('is not a known field')) return 'unknown_field';
  return detail.endsWith('is required.') ? 'missing_field' : 'invalid_value';
}
