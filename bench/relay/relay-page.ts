/** Sends and receives frames in the relay's blank pages. The function is sent to a page by itself, and needs the page's recorder. */
import type { EditArrival, WrittenEdit } from '../support/typed-windows.ts'

export interface RelayOptions {
  readonly role: 'writer' | 'reader'
  /** The name by which the relay distinguishes windows. */
  readonly name: string
  readonly transport: 'websocket' | 'sse' | 'stream'
  readonly way: 'frames' | 'streamed body' | 'batched posts'
  readonly keys: readonly (readonly string[])[]
}

export async function openRelayWindow({ role, name, transport, way, keys }: RelayOptions): Promise<void> {
  const decode = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const groups = keys.map((frames) => frames.map(decode))
  const framesOf = (key: number) => groups[key % groups.length]!
  const { now, afterFrame } = window.recorder
  const edits: WrittenEdit[] = []
  window.writerRecord = { author: 0, edits }
  const arrivals: EditArrival[] = (window.editArrivals = [])

  /** Returns a function that counts frames, and calls `onKey` with the last frame of each key. */
  const countFrames = (onKey: () => void) => {
    let key = 0
    let left = framesOf(0).length
    return () => {
      left -= 1
      if (left > 0) return
      left = framesOf(++key).length
      onKey()
    }
  }

  const onFrame = countFrames(role === 'writer' ? receiveAnswer : showLetter)
  const openings = { websocket: openSocket, sse: openEvents, stream: openStream }
  const send = await openings[transport]()
  if (role === 'writer') openEditor()
  else document.body.append('')

  function openEditor(): void {
    const editor = document.createElement('textarea')
    editor.ariaLabel = 'Document'
    editor.addEventListener('input', () => {
      const frames = framesOf(edits.length)
      const edit = { clock: edits.length + 1, edited: now(), sent: now(), answered: 0 }
      edits.push(edit)
      for (const frame of frames) send(frame)
    })
    document.body.append(editor)
    editor.focus()
  }

  function receiveAnswer(): void {
    edits.find(({ answered }) => answered === 0)!.answered = now()
  }

  function showLetter(): void {
    const applied = now()
    document.body.lastChild!.textContent += 'x'
    const clocks = [[0, arrivals.length + 1]] as const
    const arrival: EditArrival = { clocks, applied, rendered: now(), painted: 0 }
    arrivals.push(arrival)
    afterFrame((at) => (arrival.painted = at))
  }

  async function openSocket() {
    const socket = new WebSocket(`wss://${location.host}/socket?window=${name}`)
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('message', onFrame)
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    return (frame: Uint8Array<ArrayBuffer>) => socket.send(frame)
  }

  async function openEvents() {
    const source = new EventSource(`/events?window=${name}`)
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      decode(data)
      onFrame()
    })
    await new Promise((resolve) => source.addEventListener('open', resolve))
    return openUpload()
  }

  async function openStream() {
    const response = await fetch(`/stream?window=${name}`, { method: 'POST', cache: 'no-store' })
    void readRecords(response.body!.getReader())
    return openUpload()
  }

  /** Takes records as whole, because each is far shorter than a chunk. The first one only shows that the stream is open. */
  async function readRecords(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    let first = true
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      for (let at = 0; at < next.value.length;) {
        const [low, high] = [next.value[at]!, next.value[at + 1] ?? 0]
        const number = low < 0x80 ? low : (low & 0x7f) | (high << 7)
        at += (low < 0x80 ? 1 : 2) + (number >> 1)
        if (!first) onFrame()
        first = false
      }
    }
  }

  function openUpload() {
    return way === 'streamed body' ? streamUp() : postUp
  }

  function encodeRecord(frame: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const number = frame.length * 2
    const head = number < 0x80 ? [number] : [(number & 0x7f) | 0x80, number >> 7]
    return new Uint8Array([...head, ...frame])
  }

  function postUp(frame: Uint8Array<ArrayBuffer>): void {
    void fetch(`/up?window=${name}`, { method: 'POST', body: encodeRecord(frame), cache: 'no-store' })
  }

  function streamUp() {
    let up: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => void (up = controller),
    })
    const init = { method: 'POST', body, duplex: 'half', cache: 'no-store' } as RequestInit
    void fetch(`/up?window=${name}`, init)
    return (frame: Uint8Array<ArrayBuffer>) => up.enqueue(encodeRecord(frame))
  }
}
