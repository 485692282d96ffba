import { plural } from './plural.ts'

/** The settings, as a page and as a dialog. */
export const settingsStrings = {
  title: 'Settings',
  hint: 'Changes apply immediately in all your windows.',
  undo: {
    title: 'Undo applies to',
    window: 'Changes made in this window',
    all: 'Changes made in any of my windows on this device',
    hint: 'Never to changes made by others.',
  },
  language: {
    label: 'Language of my texts',
    default: 'Browser default',
    hint: 'For spell checking and dates. Menus are in English so far.',
  },
  browser: {
    title: 'On this device',
    transport: 'Transport',
    sharing: 'Share one connection among my windows',
  },
  forget: {
    title: 'Left on this device by someone else',
    settings: '“Forget this device” removes their settings and the pages kept for use offline.',
    copies: (documents: number) =>
      `“Forget this device” removes their ${documents === 1 ? 'copy' : 'copies'} of ${plural(documents, 'document')}, their settings and the pages kept for use offline.`,
    unsent: 'Their changes that were not sent yet are lost.',
    own: 'Your own documents stay.',
    confirm: 'Forget this device',
    failed:
      'This browser did not remove everything. Close its other windows, reload this one, and try again.',
  },
  lab: {
    hint: <Part>(link: Part) =>
      ['What does each transport cost between your own windows? ', link, '.'] as const,
    link: 'Measure it in the lab',
  },
} as const
