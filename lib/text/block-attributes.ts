/** Reads the attributes of blocks. Anybody may have written them, so any value is possible. */
import type { Block } from './tree.ts'

/** Returns 1 to 6. */
export function headingLevelOf({ attributes: { level } }: Block): number {
  const number = Number(level)
  return Number.isInteger(number) && number >= 1 ? Math.min(number, 6) : 1
}

/** The language of a code block; null unless the value looks like one. */
export function codeLanguageOf({ attributes: { language } }: Block): string | null {
  return typeof language === 'string' && /^[\w+#-]{1,40}$/.test(language) ? language : null
}

/** The first number of a list. Markdown has numbers of up to nine digits, and counts on from the first. */
export function listStartOf({ attributes: { start } }: Block): number {
  return typeof start === 'number' && Number.isInteger(start) && start >= 0 && start < 1e8 ? start : 1
}
