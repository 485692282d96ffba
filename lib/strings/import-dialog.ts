/** The dialog that makes documents of files. */
export const importDialogStrings = {
  title: 'Import documents',
  description:
    'Each file becomes a document of yours: Markdown, HTML, Word, plain text, CSV, a zip of these, or JSON exported from here.',
  files: 'Files',
  choose: 'Choose files…',
  chooseMore: 'Choose more…',
  done: 'Done',
  waiting: 'Waiting…',
  reading: 'Reading…',
  cancelled: 'Cancelled. Nothing was imported.',
  stopped: 'Cancelled. Documents that were ready stay in your list.',
  sending: (part: number) => `Uploading… ${Math.floor(part * 100)} %`,
  open: (title: string) => `Open “${title}”`,
  progress: (over: number, all: number) => `${over} of ${all} finished`,
} as const
