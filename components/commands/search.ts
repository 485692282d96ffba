/** Which commands a person means by a few words. */
import { type Command, isPossible, type Section, sections } from './registry.ts'
import { strings } from '@/lib/strings/commands.ts'

export interface CommandGroup {
  readonly section: Section
  readonly items: readonly Command[]
}

/**
 * Asks whether a command is meant, again and again for what has been typed so far. Each word stands somewhere in the command, in any
 * case and with or without accents. Where no command has them all, words with a slip count: so none pushes in among those that are spelt right.
 */
export function finderIn(commands: readonly Command[]): (command: Command, query: string) => boolean {
  const texts = commands.map((command) => ({ command, text: textOf(command) }))
  const find = (query: string): ReadonlySet<Command> => {
    const words = plain(query).split(/\s+/)
    const having = (fits: (word: string, text: string) => boolean) =>
      new Set(
        texts.filter(({ text }) => words.every((word) => fits(word, text))).map(({ command }) => command),
      )
    const exact = having((word, text) => text.includes(word))
    return exact.size > 0 ? exact : having(standsNearlyIn)
  }
  let last: { readonly query: string; readonly found: ReadonlySet<Command> } | undefined
  return (command, query) => {
    if (last?.query !== query) last = { query, found: find(query) }
    return last.found.has(command)
  }
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()

const textOf = ({ title, section, words = '' }: Command): string =>
  plain(`${title} ${strings.sections[section]} ${words}`)

/** The search engines' custom (Lucene's "auto"): none in two letters, one in up to five, two in more. */
const slipsIn = ({ length }: string): number => (length < 3 ? 0 : length < 6 ? 1 : 2)

const standsNearlyIn = (typed: string, text: string): boolean =>
  text.includes(typed) || text.split(/\s+/).some((word) => slipsToStart(typed, word) <= slipsIn(typed))

/**
 * How many slips lead from the nearest beginning of a word to what was typed: a letter too many, missing or wrong, or two exchanged
 * (distance by optimal string alignment, the least of its last row).
 */
function slipsToStart(typed: string, word: string): number {
  let before: number[] = []
  let above = Array.from({ length: word.length + 1 }, (_, column) => column)
  for (let row = 1; row <= typed.length; row++) {
    const current = [row]
    for (let column = 1; column <= word.length; column++) {
      const isSame = typed[row - 1] === word[column - 1]
      const isExchanged =
        row > 1 && column > 1 && typed[row - 1] === word[column - 2] && typed[row - 2] === word[column - 1]
      current[column] = Math.min(
        above[column]! + 1,
        current[column - 1]! + 1,
        above[column - 1]! + (isSame ? 0 : 1),
        isExchanged ? before[column - 2]! + 1 : Infinity,
      )
    }
    ;[before, above] = [above, current]
  }
  return Math.min(...above)
}

/** What can be chosen now. */
export const possibleNow = (commands: readonly Command[]): readonly Command[] =>
  commands.filter((command) => !command.inHelpAlone && isPossible(command))

export const grouped = (commands: readonly Command[]): readonly CommandGroup[] =>
  sections
    .map((section) => ({ section, items: commands.filter((command) => command.section === section) }))
    .filter(({ items }) => items.length > 0)

/** The one that stands highest in the palette for these words. */
export function firstFound(commands: readonly Command[], query: string): Command | undefined {
  const isFound = finderIn(commands)
  return grouped(commands)
    .flatMap(({ items }) => items)
    .find((command) => isFound(command, query))
}
