/** Which document the second editor beside a text shows, in this browser: a panel that is detached goes on with it. */
import { isDocumentId } from '@/lib/protocol/ids.ts'

const storageKeyOf = (document: string): string => `diptych.second:${document}`

/** Storage can be forbidden, and anybody may have written there. */
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
    // Then it is the same document again, next time.
  }
}
