/** A request's body, read as a whole where it is small. */
import type { Readable } from 'node:stream'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import type { GatewayRequest } from './gateway.ts'
import { discard, Refusal } from './refusals.ts'

/** One that is not here by then is cut. */
const BODY_TIMEOUT_MS = 10_000

/** @throws {ProtocolError} `too-large`, as soon as it is. @throws {Refusal} where it breaks off. */
export function readWhole(request: GatewayRequest, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const body: Readable = request
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const timer = setTimeout(() => body.destroy(), BODY_TIMEOUT_MS).unref()
    const fail = (error: Error): void => {
      reject(error)
      discard(body)
    }
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength
      if (bytes > limit)
        return fail(new ProtocolError('too-large', `A body over the limit of ${limit} bytes.`))
      chunks.push(chunk)
    })
    body.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
    body.on('error', () => {})
    body.on('close', () => {
      clearTimeout(timer)
      reject(new Refusal(400, 'lost', 'The body broke off.'))
    })
  })
}
