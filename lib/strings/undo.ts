/** Undo and redo: their commands, and what they say was taken back. */
export const undoStrings = {
  undo: 'Undo',
  redo: 'Redo',
  /** By whose changes are meant: those of all the person's windows, or of one. */
  scope: {
    choose: {
      all: 'Setting: undo applies to changes made in all my windows',
      window: 'Setting: undo applies to changes made in this window',
    },
    chosen: {
      all: 'Undo now applies to changes made in all your windows.',
      window: 'Undo now applies to changes made in this window.',
    },
  },
  undone: {
    inOwnWindow: (change: string) => `Undone: ${change}.`,
    in: (change: string, place: string) => `Undone: ${change} in ${place}.`,
    inOtherWindow: (change: string) => `Undone: ${change} in another window.`,
  },
  redone: {
    inOwnWindow: (change: string) => `Redone: ${change}.`,
    in: (change: string, place: string) => `Redone: ${change} in ${place}.`,
    inOtherWindow: (change: string) => `Redone: ${change} in another window.`,
  },
  change: {
    replaced: (deleted: string, typed: string) => `“${deleted}” replaced by “${typed}”`,
    typed: (text: string) => `“${text}” typed`,
    deleted: (text: string) => `“${text}” deleted`,
    unknown: 'a change',
  },
  tooLate: 'Something else has changed since. Undo goes back one step at a time.',
} as const
