/** Usernames and e-mail addresses are compared without case. */
export const foldName = (name: string) => (ascii.test(name) ? name : name.normalize('NFKC')).toLowerCase();

/** ASCII is already normal, and normalizing takes as long as a keyed hash. */
const ascii = /^[ -~]*$/;
