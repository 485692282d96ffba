/** Reads cells that were copied as letters: tabs between them, as spreadsheets write, or commas or semicolons, as in a file of values. */

export interface ParsedCells {
  readonly rows: readonly (readonly string[])[]
}

/** In letters. A longer field is prose. */
const MAX_VALUE_LENGTH = 500

/** Null for letters that are no table. Rows of values between commas all have as many, and none begins with a space, as prose does. */
export function parseCells(text: string): ParsedCells | null {
  const lines = text.replace(/(?:\r\n?|\n)$/, '')
  if (lines.includes('\t')) {
    const rows = readRows(lines, '\t')
    // Lines that begin with a tab are indented.
    const isTable = isGrid(rows) && rows[0]!.length > 1 && rows.some(([first]) => first !== '')
    return isTable ? { rows } : null
  }
  for (const separator of [';', ',']) {
    if (!lines.includes(separator)) continue
    const rows = readRows(lines, separator)
    if (isGrid(rows) && rows.length > 1 && rows.every((row) => row.every(isValue)) && isNamed(rows[0]!))
      return { rows }
  }
  return null
}

/** Whether letters hold so many cells that reading them would keep the person waiting. */
export function hasMoreCells(text: string, limit: number): boolean {
  const separators = /[\t\n]/g
  let count = 1
  while (separators.exec(text)) if (++count > limit) return text.includes('\t')
  return false
}

const isValue = (value: string): boolean => value.length <= MAX_VALUE_LENGTH && !/^\s/.test(value)

/** Two numbers may be one with a decimal comma. */
const isNamed = (row: readonly string[]): boolean =>
  row.length > 2 || (row.length === 2 && row.some((value) => /\p{L}/u.test(value)))

const isGrid = (rows: readonly (readonly string[])[]): boolean =>
  rows.every((row) => row.length === rows[0]!.length)

/** A field in quotation marks may hold separators, line ends and doubled quotation marks. */
export function readRows(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  for (;;) {
    const field = readField(text, at, separator)
    row.push(field.value)
    at = field.end
    if (text[at] === separator) at += 1
    else {
      rows.push(row)
      row = []
      if (at >= text.length) return rows
      at += text.startsWith('\r\n', at) ? 2 : 1
    }
  }
}

function readField(text: string, start: number, separator: string): { value: string; end: number } {
  const quoted = text[start] === '"' ? readQuoted(text, start, separator) : null
  if (quoted) return quoted
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { value: text.slice(start, end), end }
}

/** Null where the quotation marks do not enclose a whole field: they are letters then. */
function readQuoted(text: string, start: number, separator: string): { value: string; end: number } | null {
  let end = start + 1
  for (;;) {
    end = text.indexOf('"', end)
    if (end < 0) return null
    if (text[end + 1] !== '"') break
    end += 2
  }
  const isWhole = end + 1 === text.length || [separator, '\n', '\r'].includes(text[end + 1]!)
  return isWhole ? { value: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 } : null
}
