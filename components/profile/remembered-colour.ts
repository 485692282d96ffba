/** Remembers in which colour this browser's person was shown in the documents that they opened last. */
const KEY = 'diptych.colours'
const MAX_DOCUMENTS = 20

type Entry = readonly [document: string, person: string, colour: string]

/** Not validated: a colour outside the palette counts as none. */
export const readColour = (document: string, person: string): string | null =>
  readEntries().find((entry) => entry[0] === document && entry[1] === person)?.[2] ?? null

export function rememberColour(document: string, person: string, colour: string): void {
  const others = readEntries().filter((entry) => entry[0] !== document)
  const entries: readonly Entry[] = [[document, person, colour], ...others]
  try {
    localStorage.setItem(KEY, JSON.stringify(entries.slice(0, MAX_DOCUMENTS)))
  } catch {
    // Without storage the colour is chosen anew.
  }
}

function readEntries(): readonly Entry[] {
  try {
    const entries: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(entries) ? entries.filter((entry): entry is Entry => Array.isArray(entry)) : []
  } catch {
    return []
  }
}
