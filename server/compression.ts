/** Compresses pages while they stream; the build has compressed the assets. */
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { Transform } from 'node:stream'

export type Encoding = 'br' | 'gzip'

/** Below the size of one network packet compression gains nothing. */
const MIN_BYTES = 1400

/** This is enough for text; a higher quality costs more time than it saves on the network. */
const BROTLI_QUALITY = 4

/** @param accepted The header Accept-Encoding. */
export const chooseEncoding = (accepted: string): Encoding | null =>
  (['br', 'gzip'] as const).find((encoding) => acceptsEncoding(accepted, encoding)) ?? null

export const acceptsEncoding = (header: string, encoding: Encoding): boolean =>
  header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })

export function isWorthCompressing(headers: Record<string, string | string[] | undefined>): boolean {
  const length = headers['content-length']
  return (
    !headers['content-encoding'] &&
    /^(text\/|application\/(json|javascript|manifest\+json)|image\/svg)/.test(
      String(headers['content-type']),
    ) &&
    (length === undefined || Number(length) >= MIN_BYTES)
  )
}

/** Flushes with every chunk, so that a page that streams shows its first part at once. */
export const createCompressor = (encoding: Encoding): Transform =>
  encoding === 'br'
    ? createBrotliCompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
      })
    : createGzip({ flush: constants.Z_SYNC_FLUSH })
