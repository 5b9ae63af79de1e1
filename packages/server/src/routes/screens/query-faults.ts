import type { Fault, queries } from '@milepost/api';

/** An error of a query that was sent in the field or parameter `pointer`. */
export const faultOf = (pointer: string, { position, length, message, suggestion }: queries.QueryError): Fault => ({
  pointer,
  detail: suggestion === undefined ? message : `${message} ${suggestion}`,
  column: position + 1,
  length,
  ...(suggestion !== undefined && { suggestion }),
});
