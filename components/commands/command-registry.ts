/**
 * The commands that this window can run now, for the palette, the help and the keys. A component registers its commands while it is on
 * screen. Knows no React and no keyboard.
 */
import { Subscribable } from '@/lib/subscribable.ts'

/** Ids of the sections; lib/strings/commands.ts has their names. Text commands come first, and the many panel commands come last. */
export const commandSections = ['Text', 'Go to', 'Document', 'Windows', 'View', 'Panels', 'Help'] as const

export type CommandSection = (typeof commandSections)[number]

export interface Command {
  /** If two commands have the same id, the later one counts. */
  readonly id: string
  /** What the command does, in the words a person would use: "Open Outline in its own window". */
  readonly title: string
  readonly section: CommandSection
  /** For example "Mod+Shift+P". Menus show the first one. */
  readonly keys?: string | readonly string[]
  /** Another listener handles these keys: they are listed here but not bound. */
  readonly keysInText?: boolean
  /** Where or when the keys mean this command: "in Outline". */
  readonly where?: string
  /** The command cannot be run; it exists to list its keys. A command with the same id that can be run replaces it. */
  readonly isHelpOnly?: boolean
  /** Other words that people search for. */
  readonly words?: string
  /** If false, the command is not in the palette now, and the browser handles its keys. */
  when?(): boolean
  /** If false, the keys are left to other listeners, although the command can be run. */
  keysWhen?(): boolean
  run(): void
}

/** The keys of a command, the main one first. */
export const commandKeysOf = ({ keys = [] }: Command): readonly string[] =>
  typeof keys === 'string' ? [keys] : keys

/** Keys that a part of the page handles itself. */
export type HelpOnlyKeys = Pick<Command, 'id' | 'title' | 'section' | 'keys' | 'where'>

/** Makes a command that only the help lists. */
export const createHelpOnlyCommand = (entry: HelpOnlyKeys): Command => ({
  ...entry,
  keysInText: true,
  isHelpOnly: true,
  run() {},
})

export class CommandRegistry {
  readonly #sources = new Map<object, readonly Command[]>()
  readonly #listeners = new Subscribable()
  #list: readonly Command[] | undefined

  /** Replaces the commands that the same source registered before. */
  set(source: object, commands: readonly Command[]): void {
    this.#sources.set(source, commands)
    this.#invalidate()
  }

  delete(source: object): void {
    if (this.#sources.delete(source)) this.#invalidate()
  }

  /** Sorted by section, then by registration. Returns the same list until something changes. */
  list = (): readonly Command[] => (this.#list ??= this.#sorted())

  readonly subscribe = this.#listeners.subscribe

  /** Does nothing if the command is not registered or not available now. */
  run(id: string): void {
    const command = this.list().find((one) => one.id === id)
    if (command && isCommandAvailable(command)) command.run()
  }

  #sorted(): readonly Command[] {
    const all = [...this.#sources.values()].flat()
    const helpOnly = all.filter(({ isHelpOnly }) => isHelpOnly)
    const choosable = all.filter(({ isHelpOnly }) => !isHelpOnly)
    const ids = new Set(choosable.map(({ id }) => id))
    const listed = [...choosable, ...helpOnly.filter(({ id }) => !ids.has(id))]
    const byId = new Map(listed.map((command) => [command.id, command]))
    return [...byId.values()].toSorted(
      (a, b) => commandSections.indexOf(a.section) - commandSections.indexOf(b.section),
    )
  }

  #invalidate(): void {
    this.#list = undefined
    this.#listeners.notify()
  }
}

export const isCommandAvailable = (command: Command): boolean => command.when?.() ?? true

/** The registry of this page. One page is one window. */
export const pageCommands = new CommandRegistry()
