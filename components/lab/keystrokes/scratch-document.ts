/** The scratch document that is measured, one per browser: found again or created. */
import { api, ApiRequestError } from '@/components/http-api.ts'
import { labStrings } from '@/lib/strings/lab.ts'

const SCRATCH_KEY = 'diptych.lab.document'

export async function findOrCreateScratchDocument(): Promise<string> {
  const rememberedId = readRememberedId()
  if (rememberedId && (await documentExists(rememberedId))) return rememberedId
  const { id } = await api.createDocument()
  await api.renameDocument(id, labStrings.keystrokes.scratchTitle)
  rememberId(id)
  return id
}

async function documentExists(id: string): Promise<boolean> {
  try {
    await api.getDocument(id)
    return true
  } catch (error) {
    if (error instanceof ApiRequestError && error.status === 404) return false
    throw error
  }
}

/** Storage may be blocked. */
function readRememberedId(): string | null {
  try {
    return localStorage.getItem(SCRATCH_KEY)
  } catch {
    return null
  }
}

function rememberId(id: string): void {
  try {
    localStorage.setItem(SCRATCH_KEY, id)
  } catch {
    // Without storage, the next visit creates another one.
  }
}
