/** Deviations from the specification, and those that a decision records. */

export interface Deviation {
  operation: string;
  what: string;
  /** The request in which it first occurred. */
  when: string;
}

export interface Recorded {
  /** Default: any operation. */
  operation?: string;
  what: string;
  /** The number of the decision in docs/decisions. */
  decision: string;
}

/** Each of these must occur. Remove a line when the deviation is gone. */
export const recorded: readonly Recorded[] = [
  { what: 'status 400 is not specified', decision: '0004' },
  { what: 'status 401 is not specified', decision: '0006' },
  { operation: 'GET /experiments/{id}/actions', what: 'status 404 is not specified', decision: '0004' },
  { operation: 'POST /subjects', what: 'status 404 is not specified', decision: '0004' },
  { operation: 'POST /scans', what: 'status 404 is not specified', decision: '0004' },
  { operation: 'GET /workflows/{workflow_label}/states', what: 'status 404 is not specified', decision: '0004' },
  { operation: 'POST /cohorts', what: 'status 409 is not specified', decision: '0011' },
  { operation: 'PUT /cohorts/{id}', what: 'status 409 is not specified', decision: '0011' },
  { operation: 'POST /subjects', what: 'status 409 is not specified', decision: '0011' },
  { operation: 'PUT /subjects/{id}', what: 'status 409 is not specified', decision: '0011' },
  { operation: 'POST /experiments', what: 'status 409 is not specified', decision: '0011' },
  { operation: 'POST /users', what: 'status 409 is not specified', decision: '0011' },
  { operation: 'PUT /users/{id}', what: 'status 409 is not specified', decision: '0011' },

  { what: 'Action.end_time is null, not string', decision: '0002' },
  { what: 'CallbackExecution.wait_start is null, not string', decision: '0002' },
  { what: 'CallbackExecution.run_start is null, not string', decision: '0002' },
  { what: 'CallbackExecution.finished is null, not string', decision: '0002' },
  { what: 'Experiment.scandate is null, not string', decision: '0002' },
  { what: 'Subject.date_of_birth is null, not string', decision: '0002' },
  { what: 'StateChangeResult.error is missing', decision: '0002' },
  { what: 'StateChangeResult.error is null, not object', decision: '0002' },

  { what: 'Action.retry_of is not specified', decision: '0010' },
  { what: 'Callback.retry_for is not specified', decision: '0010' },
  { what: 'Callback.retry_first is not specified', decision: '0010' },
  { what: 'CallbackExecution.attempt is not specified', decision: '0010' },
  { what: 'CallbackExecution.cause is not specified', decision: '0010' },
  { what: 'CallbackExecution.last_error is not specified', decision: '0010' },
  { what: 'CallbackExecution.next_attempt_at is not specified', decision: '0010' },
  { what: 'CallbackExecution.warnings is not specified', decision: '0010' },
  { what: 'CallbackExecution.subject.withdrawn is not specified', decision: '0010' },
  { what: 'State.title is not specified', decision: '0010' },
  { what: 'State.colour is not specified', decision: '0010' },
  { what: 'State.outcome is not specified', decision: '0010' },
  { what: 'State.decision is not specified', decision: '0010' },
  { what: 'Transition.title is not specified', decision: '0010' },
  { what: 'Subject.withdrawn is not specified', decision: '0010' },
  { what: 'ConfigImportResult.warnings is not specified', decision: '0010' },
  { operation: 'POST /service/config/import-workflow', what: 'Ref.outcome is not specified', decision: '0010' },
  { operation: 'POST /service/config/import-workflow', what: 'Ref.revision is not specified', decision: '0010' },
  { operation: 'POST /service/config/import-workflow', what: 'Ref.warnings is not specified', decision: '0010' },
];

export const lineOf = ({ operation, what, when }: Deviation): string => `${operation} (${when}): ${what}`;

export const isRecordedBy = ({ operation, what }: Deviation, line: Recorded): boolean =>
  line.what === what && (line.operation ?? operation) === operation;
