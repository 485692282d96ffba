/** Writes a line of the log for a person at a terminal: time, level, message, and the fields behind it. It knows no colours. */

const levelNames: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}

interface LogEntry extends Record<string, unknown> {
  readonly level: number
  readonly time: string
  readonly msg?: string
}

/** @param line One line of JSON, as the logger makes it. */
export function readableLogLine(line: string): string {
  const { level, time, msg = '', ...fields } = JSON.parse(line) as LogEntry
  const stacks: string[] = []
  const texts = Object.entries(fields).map(([name, value]) => {
    const stack = (value as { stack?: unknown } | null)?.stack
    if (typeof stack !== 'string')
      return `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`
    stacks.push(`  ${stack.replaceAll('\n', '\n  ')}\n`)
    return ''
  })
  const parts = [time.slice(11, 23), (levelNames[level] ?? String(level)).padEnd(5), msg, ...texts]
  return `${parts.filter((part) => part !== '').join('  ')}\n${stacks.join('')}`
}
