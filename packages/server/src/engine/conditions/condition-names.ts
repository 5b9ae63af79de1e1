/** The names that a condition may read, and what is known of each before there are values (decision 0014). */
import type { Kind } from './condition-values.ts';

/** What a condition is evaluated on. `now` is a moment in UTC as RFC 3339 writes it. */
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
  /** Of the latest action, with what it carried over, by the callback's label. */
  readonly callbacks: Readonly<Record<string, CallbackOutcome>>;
  readonly now: string;
}

export interface CallbackOutcome {
  readonly status: string;
  readonly result: string;
  readonly result_values: unknown;
}

/** What is known of a value before there is one. A known kind may still turn out to be null. */
export type Shape =
  | { kind: Kind | 'any' }
  /** Exactly these names; `alone` says whether it may be used as a value itself. */
  | { kind: 'map'; fields: Readonly<Record<string, Shape>>; alone: boolean }
  /** Any names. */
  | { kind: 'map'; each: Shape; of: string };

export const any: Shape = { kind: 'any' };
const text: Shape = { kind: 'text' };
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
  callbacks: each('callback', fields({ status: text, result: text, result_values: any }, true)),
  now: text,
};
