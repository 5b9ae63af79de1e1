/** How a connection to a foreign host can go wrong. Which status is a failure is for the caller to judge. */

/** Not allowed, or not possible in this form: it would be refused again. */
export class OutgoingRefused extends Error {
  override readonly name = 'OutgoingRefused';
}

/** No connection, no answer in time, or half of one: it may go well later. */
export class OutgoingFailed extends Error {
  override readonly name = 'OutgoingFailed';
}
