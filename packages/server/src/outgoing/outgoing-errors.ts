/** Errors of requests to other hosts. Which HTTP status counts as a failure is up to the caller. */

/** Not allowed or invalid: a retry would fail as well. */
export class OutgoingRefused extends Error {
  override readonly name = 'OutgoingRefused';
}

/** The operator does not allow the target. */
export class OutgoingNotAllowed extends OutgoingRefused {}

/** No connection, no response in time, or an incomplete one: a retry may succeed. */
export class OutgoingFailed extends Error {
  override readonly name = 'OutgoingFailed';
}
