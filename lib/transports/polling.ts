/**
 * What the two polling transports share: requests for new frames. The cursor counts the frames of this link that arrived. The
 * server gives a lost answer again to a request with the old cursor, but this client ends the link when a request fails (T3).
 */
import { paths } from '../protocol/http.ts'
import type { LinkKey } from '../protocol/link-key.ts'
import { readLinkKeyFields, encodeLinkHead } from '../protocol/link-key.ts'
import { parseObject } from '../protocol/value-reader.ts'
import { RecordDecoder } from '../protocol/record-decoder.ts'
import { createEncoder, ProtocolError, toBytes, writeNumber } from '../protocol/wire.ts'
import { transportsStrings } from '../strings/transports.ts'
import type { Downstream } from './http-link.ts'
import { bearerHeaders, refusalError } from './opening.ts'
import { TransportError } from './transport.ts'

export interface PollingOptions {
  /** How long the server may hold a request that it has no frames for. */
  readonly holdMs: number
  /** Called between an answer and the next request. */
  waitForNext(downstream: Downstream, frames: number): Promise<void>
}

export async function openPolling(downstream: Downstream, options: PollingOptions): Promise<void> {
  const { target, linkUrl, signal } = downstream
  const init = { method: 'POST', headers: bearerHeaders(target), signal } as const
  const response = await target.net.fetch(linkUrl, init)
  if (response.status !== 201) throw await refusalError(response)
  const key = readLinkKeyFields(parseObject(await response.text()))
  if (!key) throw new TransportError({ code: 'refused', detail: transportsStrings.details.noLinkNamed })
  downstream.onLinkKey(key)
  void pollUntilClosed(downstream, key, options)
}

/** Never rejects. */
async function pollUntilClosed(downstream: Downstream, key: LinkKey, options: PollingOptions): Promise<void> {
  const head = encodeLinkHead(key)
  let cursor = 0
  try {
    while (!downstream.closed) {
      const frames = await pollOnce(
        downstream,
        encodePollBody(head, cursor, options.holdMs),
        options.holdMs > 0,
      )
      cursor += frames
      await options.waitForNext(downstream, frames)
    }
  } catch (error) {
    downstream.onFailure(error)
  }
}

/** Returns how many frames came. */
async function pollOnce(
  downstream: Downstream,
  body: Uint8Array<ArrayBuffer>,
  parked: boolean,
): Promise<number> {
  const { target, signal } = downstream
  const init = { method: 'POST', headers: bearerHeaders(target), body, signal, parked } as const
  const response = await target.net.fetch(target.origin + paths.next, init)
  if (response.status === 204) return 0
  if (response.status !== 200) throw await refusalError(response)
  return decodeAnswer(new Uint8Array(await response.arrayBuffer()), downstream)
}

/** An answer counts as a whole or not at all: nothing of a cut answer is delivered. */
function decodeAnswer(answer: Uint8Array<ArrayBuffer>, downstream: Downstream): number {
  const deliveries: (() => void)[] = []
  let frames = 0
  const decoder = new RecordDecoder({
    onFrame(frame) {
      frames += 1
      deliveries.push(() => downstream.onFrame(frame))
    },
    onControl: (control) => void deliveries.push(() => downstream.onControl(control)),
  })
  decoder.push(answer)
  if (decoder.isMidRecord) throw new ProtocolError('bad-frame', 'An answer ends within a record.')
  for (const deliver of deliveries) deliver()
  return frames
}

function encodePollBody(head: Uint8Array, cursor: number, holdMs: number): Uint8Array<ArrayBuffer> {
  const encoder = createEncoder()
  writeNumber(encoder, cursor)
  writeNumber(encoder, holdMs)
  const numbers = toBytes(encoder)
  const body = new Uint8Array(head.byteLength + numbers.byteLength)
  body.set(head)
  body.set(numbers, head.byteLength)
  return body
}
