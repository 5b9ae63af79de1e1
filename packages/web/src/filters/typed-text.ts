/** A text that is typed here and follows into the address, which others change, too. */
export interface TypedText {
  text: string;
  /** What the address said last. */
  given: string;
  /** What was written into the address from here, until it says so. */
  sent?: string;
}

/** Another address, for example by Back, replaces what was typed; the own one does not: typing went on meanwhile. */
export const followAddress = (typed: TypedText, given: string): TypedText =>
  typed.given === given ? typed : { given, text: given === typed.sent ? typed.text : given };
