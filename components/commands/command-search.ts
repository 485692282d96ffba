/** Finds the commands that a person means by a few words. */
import { type Command, isCommandAvailable, type CommandSection, commandSections } from './command-registry.ts'
import { commandsStrings } from '@/lib/strings/commands.ts'

export interface CommandGroup {
  readonly section: CommandSection
  readonly items: readonly Command[]
}

/**
 * Returns a test for commands that match what has been typed so far. Each typed word must match somewhere in the command, ignoring case and
 * accents. Words with typos count only if no command matches them exactly, so that no near match pushes in among exact ones.
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
  normaliseText(`${title} ${commandsStrings.sections[section]} ${words}`)

/** The usual rule of search engines (Lucene's "auto"): no typo in two letters, one in up to five, two in more. */
const allowedTypos = ({ length }: string): number => (length < 3 ? 0 : length < 6 ? 1 : 2)

const matchesWithTypos = (typed: string, text: string): boolean =>
  text.includes(typed) ||
  text.split(/\s+/).some((word) => prefixEditDistance(typed, word) <= allowedTypos(typed))

/**
 * The least number of typos between what was typed and a beginning of the word. A typo is an extra, missing or wrong letter, or two letters
 * exchanged (optimal string alignment distance, the minimum of its last row).
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

/** The commands that can be run now. */
export const listAvailableCommands = (commands: readonly Command[]): readonly Command[] =>
  commands.filter((command) => !command.isHelpOnly && isCommandAvailable(command))

export const groupBySection = (commands: readonly Command[]): readonly CommandGroup[] =>
  commandSections
    .map((section) => ({ section, items: commands.filter((command) => command.section === section) }))
    .filter(({ items }) => items.length > 0)

/** The command at the top of the palette for this query. */
export function firstMatch(commands: readonly Command[], query: string): Command | undefined {
  const isMatch = createCommandMatcher(commands)
  return groupBySection(commands)
    .flatMap(({ items }) => items)
    .find((command) => isMatch(command, query))
}
