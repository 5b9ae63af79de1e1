/** The variables that the successful executions of an action set when it ends (rule 6), in definition order. */
import type { OpenOrEndedExecution } from '../store/move-inputs.ts';

export function variablesFrom(executions: readonly OpenOrEndedExecution[]): Record<string, unknown> {
  const successful = executions.filter(({ own, result }) => own && result === 'success');
  return Object.fromEntries(
    successful.flatMap(({ variable_map, result_values }) =>
      Object.entries(variable_map).map(([name, pointer]) => [name, valueAt(result_values, pointer) ?? null]),
    ),
  );
}

/** A JSON pointer; a bare name means the field of that name. What is not there is undefined. */
export function valueAt(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  const path = pointer.startsWith('/')
    ? pointer.slice(1).split('/')
    : [pointer.replaceAll('~', '~0').replaceAll('/', '~1')];
  return path
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, name)
          ? (at as Record<string, unknown>)[name]
          : undefined,
      value,
    );
}
