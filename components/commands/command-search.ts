/** Which commands a person means by a few words. */
import { type Command, isCommandAvailable, type CommandSection, commandSections } from './command-registry.ts'
import { strings } from '@/lib/strings/commands.ts'

export interface CommandGroup {
  readonly section: CommandSection
  readonly items: readonly Command[]
}

/**
 * Asks whether a command is meant, again and again for what has been typed so far. Each word stands somewhere in the command, in any
 * case and with or without accents. Where no command has them all, words with a slip count: so none pushes in among those that are spelt right.
 */
export function createCommandMatcher(
  commands: readonly Command[],
): (command: Command, query: string) => boolean {
  const texts = commands.map((command) => ({ command, text: commandText(command) }))
  const find = (query: string): ReadonlySet<Command> => {
    const words = normaliseText(query).split(/\s+/)
    const commandsWhere = (matchesWord: (word: string, text: string) => boolean) =>
      new Set(
        texts
          .filter(({ text }) => words.every((word) => matchesWord(word, text)))
          .map(({ command }) => command),
      )
    const exact = commandsWhere((word, text) => text.includes(word))
    return exact.size > 0 ? exact : commandsWhere(matchesWithTypos)
  }
  let last: { readonly query: string; readonly found: ReadonlySet<Command> } | undefined
  return (command, query) => {
    if (last?.query !== query) last = { query, found: find(query) }
    return last.found.has(command)
  }
}

const normaliseText = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()

const commandText = ({ title, section, words = '' }: Command): string =>
  normaliseText(`${title} ${strings.sections[section]} ${words}`)

/** The search engines' custom (Lucene's "auto"): none in two letters, one in up to five, two in more. */
const allowedTypos = ({ length }: string): number => (length < 3 ? 0 : length < 6 ? 1 : 2)

const matchesWithTypos = (typed: string, text: string): boolean =>
  text.includes(typed) ||
  text.split(/\s+/).some((word) => prefixEditDistance(typed, word) <= allowedTypos(typed))

/**
 * How many slips lead from the nearest beginning of a word to what was typed: a letter too many, missing or wrong, or two exchanged
 * (distance by optimal string alignment, the least of its last row).
 */
function prefixEditDistance(typed: string, word: string): number {
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
export const listAvailableCommands = (commands: readonly Command[]): readonly Command[] =>
  commands.filter((command) => !command.inHelpAlone && isCommandAvailable(command))

export const groupBySection = (commands: readonly Command[]): readonly CommandGroup[] =>
  commandSections
    .map((section) => ({ section, items: commands.filter((command) => command.section === section) }))
    .filter(({ items }) => items.length > 0)

/** The one that stands highest in the palette for these words. */
export function firstMatch(commands: readonly Command[], query: string): Command | undefined {
  const isMatch = createCommandMatcher(commands)
  return groupBySection(commands)
    .flatMap(({ items }) => items)
    .find((command) => isMatch(command, query))
}
