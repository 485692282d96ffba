/** Fetches what the server writes. */
import { MISSING_PICTURES_HEADER } from '@/lib/export/export-formats.ts'
import { errorMessageOf } from '@/components/error-message.ts'
import { uiStrings } from '@/lib/strings/ui.ts'
import { exportStrings } from '@/lib/strings/export.ts'

export interface ExportedFileData {
  readonly name: string
  readonly bytes: Blob
  /** How many pictures could not be read, and are missing in it. */
  readonly missingPictures: number
}

export interface DownloadOptions {
  readonly signal: AbortSignal
  /** Called with the number of bytes so far. */
  readonly onProgress: (bytes: number) => void
}

/** @throws {Error} in words for a person. */
export async function fetchExport(
  path: string,
  { signal, onProgress }: DownloadOptions,
): Promise<ExportedFileData> {
  const response = await fetch(path, { signal }).catch(() => {
    throw new Error(navigator.onLine ? uiStrings.server.unreachable : exportStrings.dialog.offline)
  })
  const name = nameIn(response.headers.get('content-disposition') ?? '')
  // A network that wants people to sign in answers with a page of its own.
  if (response.ok && name === null) throw new Error(uiStrings.server.notTheServer)
  if (!response.ok) throw new Error(await errorMessageOf(response))
  const type = response.headers.get('content-type') ?? ''
  try {
    const missingPictures = Number(response.headers.get(MISSING_PICTURES_HEADER) ?? 0)
    return { name: name!, bytes: await readBody(response.body!, type, onProgress), missingPictures }
  } catch (error) {
    throw signal.aborted ? error : new Error(exportStrings.dialog.cut, { cause: error })
  }
}

/** Browsers may store a Blob on the disk, so chunks are in memory up to this length alone. */
const MAX_CHUNK_BYTES_IN_MEMORY = 8 * 1024 * 1024

/** Safari cannot iterate over a stream, so a reader takes its chunks. */
async function readBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  type: string,
  onProgress: DownloadOptions['onProgress'],
): Promise<Blob> {
  const [reader, blobs] = [body.getReader(), [] as Blob[]]
  let chunks: Uint8Array<ArrayBuffer>[] = []
  let [received, inMemory] = [0, 0]
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value)
    inMemory += next.value.length
    onProgress((received += next.value.length))
    if (inMemory < MAX_CHUNK_BYTES_IN_MEMORY) continue
    blobs.push(new Blob(chunks))
    ;[chunks, inMemory] = [[], 0]
  }
  return new Blob([...blobs, ...chunks], { type })
}

/** Null for what is no download. */
function nameIn(disposition: string): string | null {
  const encoded = /^attachment;.*filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1]
  return encoded === undefined ? null : decodeURIComponent(encoded)
}
