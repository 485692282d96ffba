import { type Command, createHelpOnlyCommand } from '@/components/commands/command-registry.ts'
import { sectionActionsStrings } from '@/lib/strings/section-actions.ts'

/** The actions for a section, with their keys while its row has the focus. */
export const sectionActions = [
  { action: 'up', name: sectionActionsStrings.up, keys: 'Alt+ArrowUp', keysText: 'Alt+↑' },
  { action: 'down', name: sectionActionsStrings.down, keys: 'Alt+ArrowDown', keysText: 'Alt+↓' },
  {
    action: 'higher',
    name: sectionActionsStrings.higher,
    keys: 'Alt+Shift+ArrowLeft',
    keysText: 'Alt+Shift+←',
  },
  {
    action: 'lower',
    name: sectionActionsStrings.lower,
    keys: 'Alt+Shift+ArrowRight',
    keysText: 'Alt+Shift+→',
  },
] as const

export type SectionAction = (typeof sectionActions)[number]['action']

const commandBase = (action: SectionAction, keys: string) =>
  ({
    id: `section:${action}`,
    title: sectionActionsStrings.commands[action],
    section: 'Text',
    keys,
    where: sectionActionsStrings.commands.where,
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
