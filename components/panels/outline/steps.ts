import { type Command, toldKeys } from '@/components/commands/registry.ts'
import { strings } from '@/lib/strings/outline.ts'

/** What can be done with a section, and by which keys while its row has the keyboard. */
export const steps = [
  { step: 'up', name: strings.menu.up, keys: 'Alt+ArrowUp', shown: 'Alt+↑' },
  { step: 'down', name: strings.menu.down, keys: 'Alt+ArrowDown', shown: 'Alt+↓' },
  { step: 'higher', name: strings.menu.higher, keys: 'Alt+Shift+ArrowLeft', shown: 'Alt+Shift+←' },
  { step: 'lower', name: strings.menu.lower, keys: 'Alt+Shift+ArrowRight', shown: 'Alt+Shift+→' },
] as const

export type Step = (typeof steps)[number]['step']

const told = (step: Step, keys: string) =>
  ({
    id: `section:${step}`,
    title: strings.commands[step],
    section: 'Text',
    keys,
    where: strings.commands.where,
  }) as const

/** For the help of a window that has no text to choose a section in. */
export const stepKeys: readonly Command[] = steps.map(({ step, shown }) => toldKeys(told(step, shown)))

/** Of some section. */
export const stepCommands = (can: (step: Step) => boolean, run: (step: Step) => void): readonly Command[] =>
  steps.map(({ step, shown }) => ({
    ...told(step, shown),
    keysInText: true,
    words: 'outline heading reorder',
    when: () => can(step),
    run: () => run(step),
  }))
