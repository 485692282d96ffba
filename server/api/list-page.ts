/** A page of a list: one row more than it shows is read, which tells whether there are more. */

export interface ListPage<Row> {
  readonly shown: readonly Row[]
  /** What the caller names to get the rows after these; null at the end of the list. */
  readonly next: string | null
}

/** @param read Reads at most so many rows. @param cursorAfter Returns the cursor of the rows that follow this one. */
export async function readListPage<Row>(
  limit: number,
  read: (rows: number) => Promise<readonly Row[]>,
  cursorAfter: (last: Row) => string,
): Promise<ListPage<Row>> {
  const rows = await read(limit + 1)
  const shown = rows.slice(0, limit)
  return { shown, next: rows.length > limit ? cursorAfter(shown.at(-1)!) : null }
}
