export const password = 'correct horse battery staple';
/** The queue of the pulling workers. */
export const pulledQueue = 'pulled';
