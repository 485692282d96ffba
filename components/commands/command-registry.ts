/**
 * What can be done in this window now, for the palette, the help and the keys. Whoever can do something says so while it is on
 * screen. Knows no React and no keyboard.
 */
import { notifyAll } from '@/lib/notify-all.ts'

/** Ids: lib/strings/commands.ts has the names. What is done to the text comes first, the many commands of panels come last. */
export const commandSections = ['Text', 'Go to', 'Document', 'Windows', 'View', 'Panels', 'Help'] as const

export type CommandSection = (typeof commandSections)[number]

export interface Command {
  /** Of two with one id, the one that came later counts. */
  readonly id: string
  /** What it does, as a person would ask for it: "Open Outline in its own window". */
  readonly title: string
  readonly section: CommandSection
  /** "Mod+Shift+P". Menus show the first. */
  readonly keys?: string | readonly string[]
  /** Somebody else listens to these keys: they are listed, and not bound. */
  readonly keysInText?: boolean
  /** Where or when the keys mean this: "in Outline". */
  readonly where?: string
  /** Not to be chosen: there to tell its keys. One with its id that can be chosen counts instead. */
  readonly inHelpAlone?: boolean
  /** Other words that people look for it by. */
  readonly words?: string
  /** False: not in the palette now, and its keys are left to the browser. */
  when?(): boolean
  /** False: its keys are left to others, though it can be chosen. */
  keysWhen?(): boolean
  run(): void
}

/** The keys of a command, the first foremost. */
export const commandKeysOf = ({ keys = [] }: Command): readonly string[] =>
  typeof keys === 'string' ? [keys] : keys

/** Keys that a part of the page listens to itself. */
export type HelpOnlyKeys = Pick<Command, 'id' | 'title' | 'section' | 'keys' | 'where'>

/** For the help. */
export const createHelpOnlyCommand = (entry: HelpOnlyKeys): Command => ({
  ...entry,
  keysInText: true,
  inHelpAlone: true,
  run() {},
})

export class CommandRegistry {
  readonly #sources = new Map<object, readonly Command[]>()
  readonly #listeners = new Set<() => void>()
  #list: readonly Command[] | undefined

  /** In place of what the same source said before. */
  set(source: object, commands: readonly Command[]): void {
    this.#sources.set(source, commands)
    this.#invalidate()
  }

  delete(source: object): void {
    if (this.#sources.delete(source)) this.#invalidate()
  }

  /** By section, within one in the order they came in. The same list until something changes. */
  list = (): readonly Command[] => (this.#list ??= this.#sorted())

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Does nothing where the command is not there, or not possible now. */
  run(id: string): void {
    const command = this.list().find((one) => one.id === id)
    if (command && isCommandAvailable(command)) command.run()
  }

  #sorted(): readonly Command[] {
    const all = [...this.#sources.values()].flat()
    const helpOnly = all.filter(({ inHelpAlone: isHelpOnly }) => isHelpOnly)
    const choosable = all.filter(({ inHelpAlone: isHelpOnly }) => !isHelpOnly)
    const ids = new Set(choosable.map(({ id }) => id))
    const listed = [...choosable, ...helpOnly.filter(({ id }) => !ids.has(id))]
    const byId = new Map(listed.map((command) => [command.id, command]))
    return [...byId.values()].toSorted(
      (a, b) => commandSections.indexOf(a.section) - commandSections.indexOf(b.section),
    )
  }

  #invalidate(): void {
    this.#list = undefined
    notifyAll(this.#listeners)
  }
}

export const isCommandAvailable = (command: Command): boolean => command.when?.() ?? true

/** A page is a window: it has one. */
export const pageCommands = new CommandRegistry()
