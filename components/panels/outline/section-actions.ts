import { type Command, createHelpOnlyCommand } from '@/components/commands/command-registry.ts'
import { strings } from '@/lib/strings/section-actions.ts'

/** The actions for a section, with their keys while its row has the focus. */
export const sectionActions = [
  { action: 'up', name: strings.up, keys: 'Alt+ArrowUp', keysText: 'Alt+↑' },
  { action: 'down', name: strings.down, keys: 'Alt+ArrowDown', keysText: 'Alt+↓' },
  { action: 'higher', name: strings.higher, keys: 'Alt+Shift+ArrowLeft', keysText: 'Alt+Shift+←' },
  { action: 'lower', name: strings.lower, keys: 'Alt+Shift+ArrowRight', keysText: 'Alt+Shift+→' },
] as const

export type SectionAction = (typeof sectionActions)[number]['action']

const commandBase = (action: SectionAction, keys: string) =>
  ({
    id: `section:${action}`,
    title: strings.commands[action],
    section: 'Text',
    keys,
    where: strings.commands.where,
  }) as const

/** For the help of a window without a text in which to choose a section. */
export const sectionHelpCommands: readonly Command[] = sectionActions.map(({ action, keysText }) =>
  createHelpOnlyCommand(commandBase(action, keysText)),
)

/** The commands for one section. */
export const sectionCommandsOf = (
  canRun: (action: SectionAction) => boolean,
  run: (action: SectionAction) => void,
): readonly Command[] =>
  sectionActions.map(({ action, keysText }) => ({
    ...commandBase(action, keysText),
    keysInText: true,
    words: 'outline heading reorder',
    when: () => canRun(action),
    run: () => run(action),
  }))
