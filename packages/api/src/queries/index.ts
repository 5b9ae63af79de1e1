/** The language in which pages, views and programs search for experiments (docs/reference/queries.md). */
export * from './bounds.ts';
export * from './complete-query.ts';
export * from './conditions.ts';
export * from './names.ts';
export * from './print-query.ts';
export * from './read-query.ts';
export * from './terms.ts';
