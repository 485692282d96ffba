/**
 * Makes a picture fit for a text: without what a camera writes beside the pixels, and no larger than a screen shows. What is small enough
 * keeps each of its pixels, and what moves goes on moving.
 */
import { hasMetadata, isAnimated, stripPictureMetadata } from '@/lib/files/picture-metadata.ts'
import { PICTURE_HEADER_BYTES, type PictureHeader, readPictureHeader } from '@/lib/files/picture-header.ts'
import type { ScaleRequest, ScaleResponse } from './picture-worker.ts'

/** In pixels: a text is some 700 wide, and a screen has two or three for one. */
const MAX_SIDE = 2560

/** In ms. A browser that takes longer has no memory for it, or hangs. */
const SCALE_TIMEOUT_MS = 30_000

interface PreparedPicture {
  readonly bytes: Blob
  readonly header: PictureHeader
}

/**
 * A picture that the browser cannot draw smaller comes back in its own size.
 *
 * @returns Null for a picture that is damaged, and cannot be drawn anew.
 */
export async function preparePicture(original: Blob, header: PictureHeader): Promise<PreparedPicture | null> {
  const bytes = new Uint8Array(await original.arrayBuffer())
  const { type } = header
  const withoutMetadata = stripPictureMetadata(bytes, type)
  const stripped = withoutMetadata && { bytes: new Blob([withoutMetadata], { type }), header }
  if (stripped && isAnimated(bytes, type)) return stripped
  const factor = Math.min(1, MAX_SIDE / Math.max(header.width, header.height))
  const isToDraw = !stripped || factor < 1 || (type === 'image/avif' && hasMetadata(bytes))
  const scaled = isToDraw ? await scale(stripped?.bytes ?? original, header, factor) : null
  const isKept = stripped && type !== 'image/avif' && !(scaled && scaled.bytes.size < stripped.bytes.size)
  return isKept ? stripped : (scaled ?? stripped)
}

async function scale(bytes: Blob, header: PictureHeader, factor: number): Promise<PreparedPicture | null> {
  const sideOf = (length: number): number => Math.max(1, Math.round(length * factor))
  const drawn = await askWorker({
    bytes,
    width: sideOf(header.width),
    height: sideOf(header.height),
    otherType: header.type === 'image/jpeg' ? 'image/jpeg' : 'image/png',
  })
  if (!drawn) return null
  const head = await drawn.slice(0, PICTURE_HEADER_BYTES).arrayBuffer()
  const drawnHeader = readPictureHeader(new Uint8Array(head))
  return drawnHeader && { bytes: drawn, header: drawnHeader }
}

/** One worker a picture gives its memory back. */
async function askWorker(request: ScaleRequest): Promise<ScaleResponse> {
  const worker = new Worker(new URL('./picture-worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve } = Promise.withResolvers<ScaleResponse>()
  worker.addEventListener('message', ({ data }: MessageEvent<ScaleResponse>) => resolve(data))
  worker.addEventListener('error', () => resolve(null))
  const timer = setTimeout(() => resolve(null), SCALE_TIMEOUT_MS)
  worker.postMessage(request)
  const response = await promise
  clearTimeout(timer)
  worker.terminate()
  return response
}
