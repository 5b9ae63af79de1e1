/** The names that conditions can read, and what is known about them before evaluation (docs/decisions/0014). */
import { executionResults, executionStatuses } from '@milepost/api';
import type { Kind } from './values.ts';

/** The values that a condition is evaluated with. `now` is the time in UTC in RFC 3339 format. */
export interface ConditionInputs {
  readonly experiment: {
    readonly label: string;
    readonly scandate: string | null;
    /** The state being left (transition) or entered (callback). */
    readonly state: string;
    readonly variables: Readonly<Record<string, unknown>>;
    readonly external_ids: Readonly<Record<string, string>>;
  };
  readonly subject: { readonly label: string; readonly external_ids: Readonly<Record<string, string>> };
  readonly cohort: { readonly label: string };
  /** The callbacks of the latest action by label, including carried-over outcomes. */
  readonly callbacks: Readonly<Record<string, CallbackOutcome>>;
  readonly now: string;
}

export interface CallbackOutcome {
  readonly status: string;
  readonly result: string;
  /** The part that the conditions read. Absent if they read nothing of it. */
  readonly result_values?: unknown;
}

/** What is known about a value before evaluation. A value of a known kind can still be null. */
export type Shape =
  /** `values`: the only texts that it can be. */
  | { kind: Kind | 'any'; values?: readonly string[] }
  /** Exactly these names. `alone` is whether the map itself can be used as a value. */
  | { kind: 'map'; fields: Readonly<Record<string, Shape>>; alone: boolean }
  /** Any names. */
  | { kind: 'map'; each: Shape; of: string };

export const any: Shape = { kind: 'any' };
const text: Shape = { kind: 'text' };
const textOf = (values: readonly string[]): Shape => ({ kind: 'text', values });
const each = (of: string, shape: Shape): Shape => ({ kind: 'map', each: shape, of });
const fields = (known: Readonly<Record<string, Shape>>, alone: boolean): Shape => ({
  kind: 'map',
  fields: known,
  alone,
});

export const names: Readonly<Record<string, Shape>> = {
  experiment: fields(
    {
      label: text,
      scandate: text,
      state: text,
      variables: each('variable', any),
      external_ids: each('external id', text),
    },
    false,
  ),
  subject: fields({ label: text, external_ids: each('external id', text) }, false),
  cohort: fields({ label: text }, false),
  callbacks: each(
    'callback',
    fields({ status: textOf(executionStatuses), result: textOf(executionResults), result_values: any }, true),
  ),
  now: text,
};
