/**
 * What the two polling transports share: requests for what came since. The cursor counts the frames of this link that arrived, so
 * that an answer lost on its way is given again to whoever asks with the old one; here a request that fails ends the link (T3).
 */
import { paths } from '../protocol/http.ts'
import type { LinkKey } from '../protocol/link-key.ts'
import { readLinkKeyFields, writeHead } from '../protocol/link-key.ts'
import { parseObject } from '../protocol/reason.ts'
import { RecordDecoder } from '../protocol/records.ts'
import { createEncoder, ProtocolError, toBytes, writeNumber } from '../protocol/wire.ts'
import { strings } from '../strings/transports.ts'
import type { Down } from './http-link.ts'
import { bearer, refusedBy } from './opening.ts'
import { TransportError } from './transport.ts'

export interface Pace {
  readonly door: string
  /** How long the server may keep a request that it has nothing for. */
  readonly patienceMs: number
  /** Called between an answer and the next request. */
  pause(down: Down, frames: number): Promise<void>
}

export async function openPolling(down: Down, pace: Pace): Promise<void> {
  const { target, signal } = down
  const init = { method: 'POST', headers: bearer(target), signal } as const
  const response = await target.net.fetch(target.origin + pace.door, init)
  if (response.status !== 201) throw await refusedBy(response)
  const key = readLinkKeyFields(parseObject(await response.text()))
  if (!key) throw new TransportError({ code: 'refused', detail: strings.details.noLinkNamed })
  down.named(key)
  void run(down, key, pace)
}

/** Never rejects. */
async function run(down: Down, key: LinkKey, pace: Pace): Promise<void> {
  const head = writeHead(key)
  let cursor = 0
  try {
    while (!down.closed) {
      const frames = await poll(down, bodyOf(head, cursor, pace.patienceMs), pace.patienceMs > 0)
      cursor += frames
      await pace.pause(down, frames)
    }
  } catch (error) {
    down.failed(error)
  }
}

/** How many frames came. */
async function poll(down: Down, body: Uint8Array<ArrayBuffer>, parked: boolean): Promise<number> {
  const { target, signal } = down
  const init = { method: 'POST', headers: bearer(target), body, signal, parked } as const
  const response = await target.net.fetch(target.origin + paths.next, init)
  if (response.status === 204) return 0
  if (response.status !== 200) throw await refusedBy(response)
  return decode(new Uint8Array(await response.arrayBuffer()), down)
}

/** An answer counts as a whole or not at all: one that was cut says nothing. */
function decode(answer: Uint8Array<ArrayBuffer>, down: Down): number {
  const heard: (() => void)[] = []
  let frames = 0
  const decoder = new RecordDecoder({
    onFrame(frame) {
      frames += 1
      heard.push(() => down.frame(frame))
    },
    onControl: (control) => void heard.push(() => down.control(control)),
  })
  decoder.push(answer)
  if (decoder.midRecord) throw new ProtocolError('bad-frame', 'An answer ends within a record.')
  for (const hear of heard) hear()
  return frames
}

function bodyOf(head: Uint8Array, cursor: number, patienceMs: number): Uint8Array<ArrayBuffer> {
  const encoder = createEncoder()
  writeNumber(encoder, cursor)
  writeNumber(encoder, patienceMs)
  const numbers = toBytes(encoder)
  const body = new Uint8Array(head.byteLength + numbers.byteLength)
  body.set(head)
  body.set(numbers, head.byteLength)
  return body
}
