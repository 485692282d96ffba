/**
 * Server-sent events down: a ticket first, since an EventSource sends no header that a door could judge (A3).
 *
 * The EventSource is closed at its first error: left alone it would try again, and that is the session's to decide (T3).
 */
import type { CloseReason } from '../protocol/close.ts'
import type { Pass } from '../protocol/http.ts'
import {
  EVENT_CLOSE,
  EVENT_UP,
  paths,
  readCloseEvent,
  readFrameEvent,
  readPass,
  readRefusal,
} from '../protocol/http.ts'
import { ProtocolError } from '../protocol/wire.ts'
import { strings } from '../strings/transports.ts'
import { type Down, httpTransport } from './http-link.ts'
import type { EventSourceFailure, EventSourceLike } from './net/net.ts'
import { bearer, refusedBy } from './opening.ts'
import { TransportError } from './transport.ts'

export const sse = httpTransport({
  id: 'sse',
  // Full duplex by a streamed body alone, which is known only once a link is open: LinkInfo.up.
  capabilities: { fullDuplex: false, downFactor: 4 / 3 },
  streams: true,
  async openDown(down) {
    const { target, signal } = down
    const { ticket, key } = await requestPass(down)
    if (signal.aborted) return
    const source = target.net.eventSource(`${target.origin}${paths.sse}?ticket=${ticket}`, bearer(target))
    signal.addEventListener('abort', () => source.close())
    down.named(key)
    await listen(source, down)
  },
})

async function requestPass({ target, signal }: Down): Promise<Pass> {
  const init = { method: 'POST', headers: bearer(target), signal } as const
  const response = await target.net.fetch(target.origin + paths.sseTicket, init)
  if (response.status !== 201) throw await refusedBy(response)
  const pass = readPass(await response.text())
  if (!pass) throw new TransportError({ code: 'refused', detail: strings.details.noTicket })
  return pass
}

function listen(source: EventSourceLike, down: Down): Promise<void> {
  return new Promise((resolve) => {
    let open = false
    source.addEventListener('open', () => {
      open = true
      resolve()
    })
    source.addEventListener('message', ({ data }) => receive(String(data), down))
    source.addEventListener(EVENT_UP, () => down.control({ type: 'up' }))
    source.addEventListener(EVENT_CLOSE, ({ data }) => down.ended(readCloseEvent(String(data))))
    source.addEventListener('error', (event) => {
      source.close()
      down.ended(failureOf(event, open))
    })
  })
}

function receive(data: string, down: Down): void {
  let frame: Uint8Array<ArrayBuffer>
  try {
    frame = readFrameEvent(data)
  } catch (error) {
    return down.failed(new ProtocolError('bad-frame', String(error)))
  }
  down.frame(frame)
}

/** Node tells status and message; browsers tell nothing. */
function failureOf(
  { code, message = strings.details.eventsEnded }: EventSourceFailure,
  open: boolean,
): CloseReason {
  if (open) return { code: 'lost', detail: message }
  return { ...(code ? readRefusal(code, '', null) : { code: 'refused' }), detail: message }
}
