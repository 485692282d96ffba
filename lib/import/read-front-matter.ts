/** Reads the properties that other programs write before Markdown: YAML between two lines of `---`. */

export interface FrontMatter {
  /** The property of this name; '' where it is none, or of more than a line. */
  readonly title: string
  /** All other lines; '' where there are none. */
  readonly properties: string
  /** The Markdown after them. */
  readonly body: string
}

/** Text between two dividers is the same as properties where each line of it reads as one. */
export function readFrontMatter(text: string): FrontMatter {
  const none = { title: '', properties: '', body: text }
  if (!/^---[ \t]*\n/.test(text)) return none
  const lines: string[] = []
  let start = text.indexOf('\n') + 1
  for (;;) {
    const end = text.indexOf('\n', start)
    const line = text.slice(start, end < 0 ? undefined : end)
    if (/^(?:---|\.\.\.)[ \t]*$/.test(line))
      return lines.length === 0 ? none : { ...takeTitle(lines), body: end < 0 ? '' : text.slice(end + 1) }
    if (end < 0 || !(isProperty(line) || (lines.length > 0 && isContinued(line)))) return none
    lines.push(line)
    start = end + 1
  }
}

const isProperty = (line: string): boolean => /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*:(?:\s|$)/u.test(line)

/** A list, a nested value, a comment or an empty line. */
const isContinued = (line: string): boolean => /^(?:[\s#]|-\s|$)/.test(line)

function takeTitle(lines: readonly string[]): Omit<FrontMatter, 'body'> {
  const at = lines.findIndex((line) => /^title:\s/i.test(line))
  const next = lines[at + 1] ?? ''
  const title =
    at < 0 || /^(?:\s+\S|-\s)/.test(next) ? '' : scalarOf(lines[at]!.slice('title:'.length).trim())
  return { title, properties: lines.filter((_line, index) => title === '' || index !== at).join('\n') }
}

/** '' for what is no value of one line. */
function scalarOf(value: string): string {
  if (/^'.*'$/.test(value)) return value.slice(1, -1).replaceAll("''", "'")
  if (/^".*"$/.test(value)) return unescape(value)
  return /^[[\]{}&*!|>%@`"'#]/.test(value) ? '' : value
}

function unescape(value: string): string {
  try {
    return String(JSON.parse(value))
  } catch {
    return ''
  }
}
