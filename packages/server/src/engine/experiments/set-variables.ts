/** The variables that the successful executions of an action set when it ends, in definition order. */
import type { ActionExecution } from '../../store/experiments/move-inputs.ts';

export const setsVariables = ({ own, result }: ActionExecution) => own && result === 'success';

export function variablesFrom(executions: readonly ActionExecution[]): Record<string, unknown> {
  return Object.fromEntries(
    executions
      .filter(setsVariables)
      .flatMap(({ variable_map, result_values }) =>
        Object.entries(variable_map).map(([name, pointer]) => [name, valueAt(result_values, pointer) ?? null]),
      ),
  );
}

/** Resolves a JSON pointer or a bare field name. A missing value is undefined. */
export const valueAt = (value: unknown, pointer: string): unknown => pathOf(pointer).reduce(stepInto, value);

export function pathOf(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer.startsWith('/') ? pointer.slice(1).split('/').map(unescape) : [pointer];
}

const unescape = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

function stepInto(at: unknown, name: string): unknown {
  if (Array.isArray(at)) return /^(0|[1-9]\d*)$/.test(name) ? (at as unknown[])[Number(name)] : undefined;
  if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
  return (at as Record<string, unknown>)[name];
}
