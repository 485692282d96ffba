/** Attributes of blocks, read as what anybody may have written. */
import type { Block } from './tree.ts'

/** 1 to 6. */
export function headingLevelOf({ attributes: { level } }: Block): number {
  const number = Number(level)
  return Number.isInteger(number) && number >= 1 ? Math.min(number, 6) : 1
}

/** Of a code block: null unless it looks like one. */
export function codeLanguageOf({ attributes: { language } }: Block): string | null {
  return typeof language === 'string' && /^[\w+#-]{1,40}$/.test(language) ? language : null
}

/** The first number of a list. Markdown has numbers of up to nine digits, and counts on from the first. */
export function listStartOf({ attributes: { start } }: Block): number {
  return typeof start === 'number' && Number.isInteger(start) && start >= 0 && start < 1e8 ? start : 1
}
