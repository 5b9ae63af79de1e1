/** The variables that the successful executions of an action set when it ends, in definition order. */
import type { ActionExecution } from '../../store/experiments/move-inputs.ts';

export function variablesFrom(executions: readonly ActionExecution[]): Record<string, unknown> {
  const successful = executions.filter(({ own, result }) => own && result === 'success');
  return Object.fromEntries(
    successful.flatMap(({ variable_map, result_values }) =>
      Object.entries(variable_map).map(([name, pointer]) => [name, valueAt(result_values, pointer) ?? null]),
    ),
  );
}

/** Resolves a JSON pointer or a bare field name. A missing value is undefined. */
export function valueAt(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  const path = pointer.startsWith('/') ? pointer.slice(1).split('/').map(unescape) : [pointer];
  return path.reduce(stepInto, value);
}

const unescape = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

function stepInto(at: unknown, name: string): unknown {
  if (Array.isArray(at)) return /^(0|[1-9]\d*)$/.test(name) ? (at as unknown[])[Number(name)] : undefined;
  if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
  return (at as Record<string, unknown>)[name];
}
