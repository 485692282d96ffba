/** Reads the whole of a small request body. */
import type { Readable } from 'node:stream'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { GatewayRequest } from './gateway-request.ts'
import { discardBody, HttpRefusalError } from './http-refusals.ts'
import { startTimeout } from '../timeouts.ts'

/** A body that is not complete by then is cut. */
const BODY_TIMEOUT_MS = 10_000

/** @throws {ProtocolError} `too-large`, as soon as it is. @throws {HttpRefusalError} if it breaks off. */
export function readWholeBody(request: GatewayRequest, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const body: Readable = request
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const cancelTimeout = startTimeout(BODY_TIMEOUT_MS, () => body.destroy())
    const onData = (chunk: Buffer): void => {
      bytes += chunk.byteLength
      if (bytes <= limit) return void chunks.push(chunk)
      body.off('data', onData) // otherwise each further chunk would start to discard it again
      reject(new ProtocolError('too-large', serverRefusalsStrings.gateway.bodyTooLarge(limit)))
      discardBody(body)
    }
    body.on('data', onData)
    body.on('end', () => {
      cancelTimeout() // within HTTP/2, `close` comes only with the answer, which may take long
      resolve(new Uint8Array(Buffer.concat(chunks)))
    })
    body.on('error', () => {})
    body.on('close', () => {
      cancelTimeout()
      reject(new HttpRefusalError(400, 'lost', serverRefusalsStrings.gateway.bodyBrokeOff))
    })
  })
}
