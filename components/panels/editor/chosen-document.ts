/** Stores per browser which document the second editor beside a text shows, so that a detached panel continues with it. */
import { isDocumentId } from '@/lib/protocol/ids.ts'

const storageKeyOf = (document: string): string => `diptych.second:${document}`

/** Storage may be blocked, and its content is untrusted. */
export function readChosenDocument(document: string): string | null {
  try {
    const id = localStorage.getItem(storageKeyOf(document))
    return id !== null && isDocumentId(id) ? id : null
  } catch {
    return null
  }
}

export function storeChosenDocument(document: string, chosen: string): void {
  try {
    localStorage.setItem(storageKeyOf(document), chosen)
  } catch {
    // Without storage, the next visit starts with the same text again.
  }
}
