/** Whether a row with this id belongs to a page. The last page also contains all higher ids. */
export function isInPage(
  id: number,
  { after = 0, limit }: { after: number | undefined; limit: number },
  rows: readonly { id: number }[] | undefined,
): boolean {
  const last = rows?.length === limit ? rows.at(-1)?.id : undefined;
  return id > after && (last === undefined || id <= last);
}
