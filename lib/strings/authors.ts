/** Who wrote what: marks in the text, and the bar that names them. */
export const authorsStrings = {
  commands: { show: 'Show who wrote what', hide: 'Hide who wrote what' },
  menu: 'Who wrote what',
  bar: 'Who wrote what',
  list: 'Authors on screen',
  atCaret: (author: string) => `At the caret: ${author}`,
  atCaretNobody: 'At the caret: no letters',
  loading: 'Looking for the names…',
  failed: 'Some names could not be read. They will be asked for again.',
  hide: 'Hide',
  /** What the server wrote by itself. */
  server: 'Copied or imported',
  unknown: 'Unknown',
  /** As in "Ada, 12 Nov 2026, 10:15". */
  authorAt: (name: string, time: string) => `${name}, ${time}`,
  /** Beside a change in History. */
  by: (names: string) => `By ${names}`,
} as const
