/** A request's body, read as a whole where it is small. */
import type { Readable } from 'node:stream'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { GatewayRequest } from './gateway.ts'
import { discardBody, HttpRefusalError } from './http-refusals.ts'

/** One that is not here by then is cut. */
const BODY_TIMEOUT_MS = 10_000

/** @throws {ProtocolError} `too-large`, as soon as it is. @throws {HttpRefusalError} where it breaks off. */
export function readWholeBody(request: GatewayRequest, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const body: Readable = request
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const timer = setTimeout(() => body.destroy(), BODY_TIMEOUT_MS).unref()
    const onData = (chunk: Buffer): void => {
      bytes += chunk.byteLength
      if (bytes <= limit) return void chunks.push(chunk)
      body.off('data', onData) // or each further chunk would be discarded anew
      reject(new ProtocolError('too-large', strings.gateway.bodyTooLarge(limit)))
      discardBody(body)
    }
    body.on('data', onData)
    body.on('end', () => {
      clearTimeout(timer) // within HTTP/2 it closes with its answer alone, which may take long
      resolve(new Uint8Array(Buffer.concat(chunks)))
    })
    body.on('error', () => {})
    body.on('close', () => {
      clearTimeout(timer)
      reject(new HttpRefusalError(400, 'lost', strings.gateway.bodyBrokeOff))
    })
  })
}
