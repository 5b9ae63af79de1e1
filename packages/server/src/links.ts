/**
 * The URLs of resources. The public URL is a setting and never taken from a request's Host header. `publicUrl` is a function,
 * because a server on a free port knows its own address only when it listens.
 */
export function createLinks({ basePath, publicUrl }: { basePath: string; publicUrl: () => string }) {
  /** `collection` is the first part of the path, such as `cohorts`. */
  const uri = (collection: string, id: number) => `${basePath}/${collection}/${id}`;
  return {
    uri,
    apiUri: (collection: string, id: number) => publicUrl() + uri(collection, id),
    webUri: (collection: string, id: number) => `${publicUrl()}/${collection}/${id}`,
    idAndUri: (collection: string, id: number) => ({ id, uri: uri(collection, id) }),
    ref: (collection: string, row: { id: number; label: string }) => ({
      id: row.id,
      label: row.label,
      uri: uri(collection, row.id),
    }),
  };
}

export type Links = ReturnType<typeof createLinks>;
