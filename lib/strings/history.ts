import { commonStrings } from './common.ts'
import { plural } from './plural.ts'

/** The panel of versions, and how they differ. */
export const historyStrings = {
  saveForm: {
    label: 'Name this version',
    placeholder: 'Name',
    save: 'Save version',
    saving: 'Saving…',
    saved: (name: string) => `Saved as “${name}”.`,
    failed: (why: string) => `The version was not saved. ${why}`,
    offline: 'Versions are saved on the server, which cannot be reached.',
  },
  list: {
    label: 'Versions',
    now: 'Now',
    author: 'Versions by',
    anyAuthor: 'Anyone',
    empty:
      'No versions yet. One is saved about every 10 minutes while someone writes, and when everyone has left.',
    noRoom:
      'No versions are saved automatically, because there is no space left. The owner can make room by deleting documents or versions.',
    failed: (why: string) => `The versions could not be read. ${why}`,
    choose: 'Choose a version to see what has changed.',
    slider: 'Version by time',
    sliderText: (name: string, number: number, of: number) => `${name}, ${number} of ${of}`,
  },
  version: {
    back: 'All versions',
    loading: 'Loading the version…',
    failed: (why: string) => `The version could not be read. ${why}`,
    restore: 'Restore',
    restoring: 'Restoring…',
    name: 'Name',
    rename: 'Rename',
    delete: 'Delete',
    viewOnly: 'You can only view this document, so you cannot restore its versions.',
  },
  restored: {
    named: (name: string) => `Restored “${name}”.`,
    unnamed: (time: string) => `Restored the version of ${time}.`,
    /** As in "Undone: a version restored in History." */
    step: 'a version restored',
    place: 'Restored this place.',
    placeStep: 'a place restored',
  },
  nameForm: {
    label: 'Name',
    save: 'Save',
    failed: (why: string) => `The name was not saved. ${why}`,
  },
  deletion: {
    question: 'Delete this version for everyone? The current text stays.',
    confirm: 'Delete',
    cancel: 'Keep it',
    failed: (why: string) => `The version was not deleted. ${why}`,
  },
  compare: {
    legend: 'What to compare',
    now: 'Changes since this version',
    before: 'Changes in this version',
    other: 'Changes between two versions',
    otherVersion: 'The other version',
    twoWindows: 'In two windows',
    together: 'Both here',
  },
  changes: {
    none: 'The text is the same.',
    added: (changes: number, words: number) =>
      `${commonStrings.changes(changes)}: ${plural(words, 'word')} added`,
    removed: (changes: number, words: number) =>
      `${commonStrings.changes(changes)}: ${plural(words, 'word')} removed`,
    addedAndRemoved: (changes: number, added: number, removed: number) =>
      `${commonStrings.changes(changes)}: ${plural(added, 'word')} added, ${removed.toLocaleString('en')} removed`,
    titleChanged: 'The title changed.',
    titleChangedToo: (summary: string) => `${summary}. The title changed.`,
    previous: 'Previous change',
    next: 'Next change',
    title: 'Title:',
    restore: 'Restore this place',
    same: (count: number) => `… ${plural(count, 'unchanged paragraph')}`,
  },
  blockChange: (before: string, after: string) => `${before} → ${after}`,
  markChange: (before: string, after: string) => `was ${before}, now ${after}`,
  linkChange: 'the link changed',
  noMarks: 'plain',
} as const
