/** Which commands a person means by a few words. */
import { type Command, isPossible, sections } from './registry.ts'

export interface CommandGroup {
  readonly section: string
  readonly items: readonly Command[]
}

/** Each word stands somewhere in the command, in any case and with or without accents. */
export function isFound({ title, section, words = '' }: Command, query: string): boolean {
  const text = plain(`${title} ${section} ${words}`)
  return plain(query)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()

/** What can be chosen now. */
export const possibleNow = (commands: readonly Command[]): readonly Command[] =>
  commands.filter((command) => !command.inHelpAlone && isPossible(command))

export const grouped = (commands: readonly Command[]): readonly CommandGroup[] =>
  sections
    .map((section) => ({ section, items: commands.filter((command) => command.section === section) }))
    .filter(({ items }) => items.length > 0)

/** The one that stands highest in the palette for these words. */
export const firstFound = (commands: readonly Command[], query: string): Command | undefined =>
  grouped(commands)
    .flatMap(({ items }) => items)
    .find((command) => isFound(command, query))
