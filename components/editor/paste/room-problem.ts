/** Asks the limits before a large file is inserted, so that nobody waits for an upload that the server will not take. */
import { api } from '@/components/http-api.ts'
import { fetchStorage } from '@/components/storage/fetch-storage.ts'
import { insertedTextStrings } from '@/lib/strings/inserted-text.ts'
import type { NamedBytes } from './store-file.ts'

/** A smaller file is refused as soon as it would have been asked for. */
const LARGE_BYTES = 4 * 1024 * 1024

/** In ms, for all questions together: somebody waits for the file to appear. */
const TIMEOUT_MS = 3_000

/** The sentence for a person; null where the server has room, or nobody answers. It has the last word when the upload begins. */
export async function roomProblem({ name, bytes }: NamedBytes, document: string): Promise<string | null> {
  if (bytes.size < LARGE_BYTES || document === '') return null
  try {
    const { files } = insertedTextStrings
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const maxBytes = await fetchMaxFileBytes(document, signal)
    if (bytes.size > maxBytes) return files.largerThanServer(name, maxBytes)
    const { serverHasRoom, limitBytes, usedBytes } = await fetchStorage(signal)
    if (!serverHasRoom) return files.serverFull(name)
    // Only the owner may know how much space the owner has used.
    const left = (limitBytes ?? Infinity) - usedBytes
    const isOwn = left < bytes.size && (await api.getDocument(document, signal)).role === 'owner'
    return isOwn ? files.noRoom(name, Math.max(0, left)) : null
  } catch {
    return null
  }
}

/** Infinity where the server has no limit. */
async function fetchMaxFileBytes(document: string, signal: AbortSignal): Promise<number> {
  const path = `/api/documents/${encodeURIComponent(document)}/files`
  const { headers } = await fetch(path, { method: 'OPTIONS', signal })
  return Number(headers.get('tus-max-size') ?? Infinity)
}
