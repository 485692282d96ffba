import { type Command, toldKeys } from '@/components/commands/registry.ts'

/** What can be done with a section, and by which keys while its row has the keyboard. */
export const steps = [
  { step: 'up', name: 'Move up', keys: 'Alt+ArrowUp', shown: 'Alt+↑' },
  { step: 'down', name: 'Move down', keys: 'Alt+ArrowDown', shown: 'Alt+↓' },
  { step: 'higher', name: 'One level higher', keys: 'Alt+Shift+ArrowLeft', shown: 'Alt+Shift+←' },
  { step: 'lower', name: 'One level lower', keys: 'Alt+Shift+ArrowRight', shown: 'Alt+Shift+→' },
] as const

export type Step = (typeof steps)[number]['step']

const titles: Record<Step, string> = {
  up: 'Move section up',
  down: 'Move section down',
  higher: 'Section one level higher',
  lower: 'Section one level lower',
}

const told = (step: Step, keys: string) =>
  ({ id: `section:${step}`, title: titles[step], section: 'Text', keys, where: 'in Outline' }) as const

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
