/**
 * Sends one file to its document by tus 1.0 (F2), from where the server is: one attempt, which whoever calls it repeats. Knows requests; does
 * not know where files are kept.
 */
import { uploadsStrings } from '../strings/uploads.ts'
import { withoutSettings } from '../strings/without-settings.ts'
import { MIN_PIECE_BYTES, type PieceSize } from './piece-size.ts'

export interface UploadAttempt {
  readonly document: string
  readonly file: { readonly id: string; readonly name: string; readonly bytes: Blob }
  /** False where an earlier attempt may have begun it. */
  readonly isNew: boolean
  readonly pieceSize: PieceSize
  /** As `fetch`; the path is one of this server. */
  readonly request: (path: string, init: RequestInit) => Promise<Response>
  readonly signal: AbortSignal
  /** @param received So many bytes has the server. */
  onProgress(received: number): void
}

/** The server will not take it until a person does something. The message is a sentence for them. */
export class UploadFailed extends Error {
  override readonly name = 'UploadFailed'
}

/** The network or the server is busy or gone: another attempt goes on. */
export class UploadInterrupted extends Error {
  override readonly name = 'UploadInterrupted'
  /** The server asked for a wait; 0 if it did not. */
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs = 0, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterMs = retryAfterMs
  }
}

/** In ms. A piece is small enough for the network as it was measured, and a network that is gone may never say so. */
const PIECE_TIMEOUT_MS = 120_000
const REQUEST_TIMEOUT_MS = 30_000

/** Resolves once the server has stored the file. @throws {UploadFailed} @throws {UploadInterrupted} */
export async function uploadFile(attempt: UploadAttempt): Promise<void> {
  const { file, pieceSize } = attempt
  let received = attempt.isNew
    ? await begin(attempt)
    : ((await findOffset(attempt)) ?? (await begin(attempt)))
  while (received < file.bytes.size) {
    attempt.onProgress(received)
    const piece = await readPiece(file.bytes.slice(received, received + pieceSize.bytes))
    const answered = await pieceSize.measure(() => append(attempt, received, piece))
    if (answered === null) pieceSize.limitTo(piece.length / 2)
    else received = answered
  }
}

const filesPath = (document: string): string => `/api/documents/${encodeURIComponent(document)}/files`

/** The file is read at this path, and its upload goes there before. */
export const filePath = (document: string, file: string): string => `${filesPath(document)}/${file}`

/** Returns how much the server has. Asked again, it answers the same. */
async function begin(attempt: UploadAttempt): Promise<number> {
  const { document, file } = attempt
  const metadata = `id ${base64(file.id)}${file.name === '' ? '' : `,filename ${base64(file.name)}`}`
  const headers = { 'upload-length': String(file.bytes.size), 'upload-metadata': metadata }
  const response = await send(attempt, filesPath(document), { method: 'POST', headers })
  if (response.status === 201) return readOffset(response)
  if (response.status === 409 && (await isStored(attempt))) return file.bytes.size
  throw await refusalOf(response)
}

/** Null where no upload of this person is on its way. */
async function findOffset(attempt: UploadAttempt): Promise<number | null> {
  const response = await send(attempt, filePath(attempt.document, attempt.file.id), { method: 'HEAD' })
  if (response.status === 404) return null
  if (response.status === 200) return readOffset(response)
  throw await refusalOf(response)
}

/** Another window, or another person, may have brought the same file here: a copied block has its id. */
async function isStored({ request, document, file, signal }: UploadAttempt): Promise<boolean> {
  const response = await request(filePath(document, file.id), { method: 'HEAD', signal }).catch(() => null)
  return response?.status === 200 && Number(response.headers.get('content-length')) === file.bytes.size
}

/** Null where the piece is larger than a proxy before the server lets through. */
async function append(
  attempt: UploadAttempt,
  offset: number,
  body: Uint8Array<ArrayBuffer>,
): Promise<number | null> {
  const checksum = await checksumOf(body)
  const headers = {
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(offset),
    ...(checksum && { 'upload-checksum': `sha256 ${checksum}` }),
  }
  const path = filePath(attempt.document, attempt.file.id)
  const response = await send(attempt, path, { method: 'PATCH', headers, body }, PIECE_TIMEOUT_MS)
  if (response.status === 204) return readOffset(response)
  if (response.status === 413 && body.length > MIN_PIECE_BYTES) return null
  // The server has another part of it, or none: the next attempt asks.
  if ([404, 409, 460].includes(response.status)) throw new UploadInterrupted(`answered ${response.status}`)
  throw await refusalOf(response)
}

async function send(
  { request, signal }: UploadAttempt,
  path: string,
  { headers, ...init }: RequestInit,
  timeoutMs = REQUEST_TIMEOUT_MS,
): Promise<Response> {
  try {
    return await request(path, {
      ...init,
      headers: { 'tus-resumable': '1.0.0', ...(headers as Record<string, string>) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
  } catch (error) {
    throw new UploadInterrupted('no answer', 0, { cause: error })
  }
}

function readOffset({ headers }: Response): number {
  const offset = Number(headers.get('upload-offset') ?? Number.NaN)
  if (Number.isSafeInteger(offset)) return offset
  throw new UploadInterrupted('something else answered than the server')
}

async function refusalOf(response: Response): Promise<Error> {
  const { status, headers } = response
  if (status === 401 || status === 403 || status === 404) return new UploadFailed(uploadsStrings.notAllowed)
  const isTemporary = status < 400 || status === 408 || status === 429 || (status >= 500 && status !== 507)
  if (isTemporary)
    return new UploadInterrupted(`answered ${status}`, 1000 * (Number(headers.get('retry-after')) || 0))
  const body = (await response.json().catch(() => null)) as { error?: { message?: string } } | null
  return new UploadFailed(withoutSettings(body?.error?.message ?? uploadsStrings.refused(status)))
}

async function readPiece(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await blob.arrayBuffer())
  } catch (error) {
    throw new UploadFailed(uploadsStrings.unreadable, { cause: error })
  }
}

/** Null over a plain connection, where browsers have no digests. */
async function checksumOf(piece: Uint8Array<ArrayBuffer>): Promise<string | null> {
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto }
  return subtle ? base64Of(new Uint8Array(await subtle.digest('SHA-256', piece))) : null
}

const base64 = (text: string): string => base64Of(new TextEncoder().encode(text))

const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
