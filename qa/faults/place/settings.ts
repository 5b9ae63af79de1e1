export const password = 'correct horse battery staple';
/** The queue of the executions that are pulled. */
export const pulledQueue = 'pulled';
