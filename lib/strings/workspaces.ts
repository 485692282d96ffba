import { plural } from './plural.ts'

/** Named arrangements of windows: in the dialog of windows, and as commands. */
export const workspacesStrings = {
  title: 'Workspaces',
  empty: 'Save this layout and use it in any document.',
  note: {
    holds: (windows: number, panels: number) => {
      const parts = [windows > 0 && plural(windows, 'window'), panels > 0 && plural(panels, 'panel')]
      return parts.filter(Boolean).join(', ') || 'The text alone'
    },
    onScreens: (held: string, screens: number) => `${held}, ${plural(screens, 'screen')}`,
    elsewhere: (held: string, device: string) =>
      `${held}, from ${device || 'another device'}: here in one window`,
  },
  row: {
    apply: 'Apply',
    applyLabel: (name: string) => `Apply ${name}`,
    update: 'Update',
    updateLabel: (name: string) => `Update ${name} to the current layout`,
    rename: 'Rename',
    renameLabel: (name: string) => `Rename ${name}`,
    remove: 'Delete',
    removeLabel: (name: string) => `Delete ${name}`,
    removed: (name: string) => `The workspace ${name} was deleted.`,
    undo: 'Undo',
  },
  form: {
    label: 'Name of a workspace',
    renameLabel: (name: string) => `New name of ${name}`,
    placeholder: 'Writing',
    save: 'Save as',
    rename: 'Rename',
    nameTaken: (name: string) => `A workspace called ${name} already exists.`,
  },
  commands: { apply: (name: string) => `Apply ${name}` },
  /** By which else a command is found. */
  searchWords: { apply: 'workspace arrangement layout' },
} as const
