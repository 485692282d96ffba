/** The document that is written into, one a browser: found again, or made. */
import { api, ApiError } from '@/components/api'
import { strings } from '@/lib/strings/lab.ts'

const KEY = 'diptych.lab.document'

export async function scratchDocument(): Promise<string> {
  const known = remembered()
  if (known && (await isThere(known))) return known
  const { id } = await api.create()
  await api.rename(id, strings.keystrokes.scratchTitle)
  remember(id)
  return id
}

async function isThere(id: string): Promise<boolean> {
  try {
    await api.document(id)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false
    throw error
  }
}

/** Storage can be forbidden. */
function remembered(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

function remember(id: string): void {
  try {
    localStorage.setItem(KEY, id)
  } catch {
    // The next visit makes another.
  }
}
