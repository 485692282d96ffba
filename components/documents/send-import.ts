/** Sends a file that becomes documents. Knows the request alone; `fetch` cannot say how far a body is. */
import { ApiRequestError, type DocumentEntry } from '@/components/http-api.ts'
import { withoutSettings } from '@/lib/strings/without-settings.ts'
import { uiStrings } from '@/lib/strings/ui.ts'

export interface ImportedEntry extends DocumentEntry {
  /** Sentences. */
  readonly losses: readonly string[]
  readonly others: readonly DocumentEntry[]
}

interface SendOptions {
  /** From 0 to 1; 1 while the server reads what it has. */
  readonly onProgress: (part: number) => void
  readonly signal: AbortSignal
}

/** @throws {ApiRequestError} with a sentence. */
export function sendImport(file: File, { onProgress, signal }: SendOptions): Promise<ImportedEntry> {
  const { promise, resolve, reject } = Promise.withResolvers<ImportedEntry>()
  const request = new XMLHttpRequest()
  request.open('POST', `/api/documents/import?name=${encodeURIComponent(file.name)}`)
  request.responseType = 'json'
  request.setRequestHeader('content-type', file.type || 'application/octet-stream')
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / Math.max(1, total)))
  request.addEventListener('load', () => {
    const { status, response } = request as { status: number; response: ImportedEntry | ErrorBody | null }
    if (status === 201 && response && 'id' in response) resolve(response)
    else reject(new ApiRequestError(status, messageOf(response, status)))
  })
  for (const name of ['error', 'abort'])
    request.addEventListener(name, () => reject(new ApiRequestError(0, uiStrings.server.unreachable)))
  signal.addEventListener('abort', () => request.abort())
  request.send(file)
  return promise
}

interface ErrorBody {
  readonly error?: { readonly message?: string }
}

const messageOf = (response: ImportedEntry | ErrorBody | null, status: number): string =>
  withoutSettings(
    (response && 'error' in response ? response.error?.message : undefined) ??
      uiStrings.server.answered(status),
  )
