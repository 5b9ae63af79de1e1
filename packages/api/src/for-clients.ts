/** What programs that call the API need at run time: no table of operations and no schemas. */
export * from './addresses.ts';
export * from './client.ts';
export type { OperationName } from './operations.ts';
export * from './problem-error.ts';
export * from './read-stream.ts';
export { nearestName, shortened } from './validation/nearest-name.ts';
