/** Cells as letters that spreadsheets read. */
export const formatCells = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(formatField).join('\t')).join('\n')

const formatField = (value: string): string =>
  /[\t\n"]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
