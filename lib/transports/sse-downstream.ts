/**
 * Receives by server-sent events. A ticket comes first, since an EventSource sends no header that the server could check (A3).
 *
 * The EventSource is closed at its first error: otherwise it would retry, which only the session may decide (T3).
 */
import type { CloseReason } from '../protocol/close.ts'
import type { SseTicket } from '../protocol/http.ts'
import {
  EVENT_CLOSE,
  EVENT_UP,
  readCloseEvent,
  readFrameEvent,
  readSseTicket,
  readRefusal,
} from '../protocol/http.ts'
import { ProtocolError } from '../protocol/wire.ts'
import { transportsStrings } from '../strings/transports.ts'
import type { Downstream, OpenDownstream } from './http-link.ts'
import type { EventSourceFailure, EventSourceLike } from './net/net.ts'
import { bearerHeaders, refusalError } from './opening.ts'
import { TransportError } from './transport.ts'

export const createSseDownstream =
  (eventsPath: string): OpenDownstream =>
  async (downstream) => {
    const { target, signal } = downstream
    const { ticket, key } = await requestSseTicket(downstream)
    if (signal.aborted) return
    const url = `${target.origin}${eventsPath}?ticket=${ticket}`
    const source = target.net.eventSource(url, bearerHeaders(target))
    signal.addEventListener('abort', () => source.close())
    downstream.onLinkKey(key)
    await listenToEvents(source, downstream)
  }

async function requestSseTicket({ target, linkUrl, signal }: Downstream): Promise<SseTicket> {
  const init = { method: 'POST', headers: bearerHeaders(target), signal } as const
  const response = await target.net.fetch(linkUrl, init)
  if (response.status !== 201) throw await refusalError(response)
  const sseTicket = readSseTicket(await response.text())
  if (!sseTicket) throw new TransportError({ code: 'refused', detail: transportsStrings.details.noTicket })
  return sseTicket
}

function listenToEvents(source: EventSourceLike, downstream: Downstream): Promise<void> {
  return new Promise((resolve) => {
    let isOpen = false
    source.addEventListener('open', () => {
      isOpen = true
      resolve()
    })
    source.addEventListener('message', ({ data }) => receiveEvent(String(data), downstream))
    source.addEventListener(EVENT_UP, () => downstream.onControl({ type: 'up' }))
    source.addEventListener(EVENT_CLOSE, ({ data }) => downstream.onEnded(readCloseEvent(String(data))))
    source.addEventListener('error', (event) => {
      source.close()
      downstream.onEnded(failureOf(event, isOpen))
    })
  })
}

function receiveEvent(data: string, downstream: Downstream): void {
  let frame: Uint8Array<ArrayBuffer>
  try {
    frame = readFrameEvent(data)
  } catch (error) {
    return downstream.onFailure(new ProtocolError('bad-frame', String(error)))
  }
  downstream.onFrame(frame)
}

/** Node provides status and message; browsers provide neither. */
function failureOf(
  { code, message = transportsStrings.details.eventsEnded }: EventSourceFailure,
  wasOpen: boolean,
): CloseReason {
  if (wasOpen) return { code: 'lost', detail: message }
  return { ...(code ? readRefusal(code, '', null) : { code: 'refused' }), detail: message }
}
