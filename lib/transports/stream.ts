/** One long answer down, of records: binary, and so a little leaner than events. */
import { paths } from '../protocol/http.ts'
import type { Control } from '../protocol/records.ts'
import { RecordDecoder } from '../protocol/records.ts'
import { strings } from '../strings/transports.ts'
import { type Down, httpTransport } from './http-link.ts'
import { bearer, refusedBy } from './opening.ts'
import { TransportError } from './transport.ts'

export const stream = httpTransport({
  id: 'stream',
  capabilities: { fullDuplex: false, downFactor: 1 },
  streams: true,
  async openDown(down) {
    const { target, signal } = down
    const init = { method: 'POST', headers: bearer(target), signal } as const
    const response = await target.net.fetch(target.origin + paths.stream, init)
    if (response.status !== 200) throw await refusedBy(response)
    if (!response.body || response.headers.get('content-type') !== 'application/octet-stream')
      throw new TransportError({ code: 'refused', detail: strings.details.noStream })
    const named = Promise.withResolvers<void>()
    void read(response.body, down, named.resolve)
    await named.promise
  },
})

/** Never rejects. */
async function read(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  down: Down,
  onNamed: () => void,
): Promise<void> {
  const onControl = (control: Control): void => {
    if (control.type !== 'link') return down.control(control)
    down.named(control.key)
    onNamed()
  }
  const decoder = new RecordDecoder({ onFrame: (frame) => down.frame(frame), onControl })
  try {
    const reader = body.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) decoder.push(next.value)
    down.ended({ code: 'lost', detail: strings.details.streamEnded })
  } catch (error) {
    down.failed(error)
  }
}
