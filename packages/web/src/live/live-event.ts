/** What the server says of each change while it happens. */
export interface LiveEvent {
  id: number;
  at: string;
  /** The operation or the rule that caused it. */
  kind: string;
  object_kind: string;
  object_id: number;
  cohort_id: number | null;
  experiment_id: number | null;
  workflow_id: number | null;
  data: Record<string, unknown>;
}
