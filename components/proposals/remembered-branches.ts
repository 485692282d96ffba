/** Remembers which of the documents that this browser opened last are proposals, and to what, for where the server cannot be asked. */
import type { BranchEntry } from '@/components/http-api.ts'

const KEY = 'diptych.proposals'
const MAX_DOCUMENTS = 20

type Entry = readonly [document: string, branch: BranchEntry]

export const readBranch = (document: string): BranchEntry | null =>
  readEntries().find(([id]) => id === document)?.[1] ?? null

/** @param branch Null for a document that is no proposal. */
export function rememberBranch(document: string, branch: BranchEntry | null): void {
  const entries = readEntries()
  const others = entries.filter(([id]) => id !== document)
  if (!branch && others.length === entries.length) return
  const renewed: readonly Entry[] = branch ? [[document, branch], ...others] : others
  try {
    localStorage.setItem(KEY, JSON.stringify(renewed.slice(0, MAX_DOCUMENTS)))
  } catch {
    // Without storage it is known again with the next link.
  }
}

/** Storage may be blocked, and its content is untrusted. */
function readEntries(): readonly Entry[] {
  try {
    const entries: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(entries) ? entries.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(entry: unknown): entry is Entry {
  if (!Array.isArray(entry)) return false
  const [document, branch] = entry as [unknown, Partial<BranchEntry> | null]
  return (
    typeof document === 'string' &&
    typeof branch?.original === 'string' &&
    typeof branch.originalTitle === 'string' &&
    ['open', 'accepted', 'rejected', 'withdrawn'].includes(branch.state ?? '')
  )
}
