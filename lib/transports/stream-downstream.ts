/** Receives by one long answer of records: they are binary, and so a little smaller than events. */
import type { ControlRecord } from '../protocol/records.ts'
import { RecordDecoder } from '../protocol/record-decoder.ts'
import { transportsStrings } from '../strings/transports.ts'
import type { Downstream } from './http-link.ts'
import { bearerHeaders, refusalError } from './opening.ts'
import { TransportError } from './transport.ts'

export async function openStreamDownstream(downstream: Downstream): Promise<void> {
  const { target, linkUrl, signal } = downstream
  const init = { method: 'POST', headers: bearerHeaders(target), signal } as const
  const response = await target.net.fetch(linkUrl, init)
  if (response.status !== 200) throw await refusalError(response)
  if (!response.body || response.headers.get('content-type') !== 'application/octet-stream')
    throw new TransportError({ code: 'refused', detail: transportsStrings.details.noStream })
  const keyReceived = Promise.withResolvers<void>()
  void readRecords(response.body, downstream, keyReceived.resolve)
  await keyReceived.promise
}

/** Never rejects. */
async function readRecords(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  downstream: Downstream,
  onLinkKey: () => void,
): Promise<void> {
  const onControl = (control: ControlRecord): void => {
    if (control.type !== 'link') return downstream.onControl(control)
    downstream.onLinkKey(control.key)
    onLinkKey()
  }
  const decoder = new RecordDecoder({ onFrame: (frame) => downstream.onFrame(frame), onControl })
  try {
    const reader = body.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) decoder.push(next.value)
    downstream.onEnded({ code: 'lost', detail: transportsStrings.details.streamEnded })
  } catch (error) {
    downstream.onFailure(error)
  }
}
