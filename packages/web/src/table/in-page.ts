/** Whether a row with this id belongs to a page: behind the row that it begins after, up to its last; the last page has no end. */
export function isInPage(
  id: number,
  { after = 0, limit }: { after: number | undefined; limit: number },
  rows: readonly { id: number }[] | undefined,
): boolean {
  const last = rows?.length === limit ? rows.at(-1)?.id : undefined;
  return id > after && (last === undefined || id <= last);
}
