/**
 * A WebSocket over plain TCP, with only what a crowd needs: with the `ws` package a message would take twice the time. It reads what a
 * server may send, and does not check for what it may not.
 */
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import type { WebSocketLike } from '../../lib/transports/net/net.ts'

type Handler = ((event: never) => void) | null

const CONNECTING = 0
const OPEN = 1
const CLOSED = 3

const TEXT = 1
const BINARY = 2
const CLOSE = 8
const PING = 9
const PONG = 10

/** All sockets of a thread share it: what they read is copied out of it before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(256 * 1024)

export class LightSocket implements WebSocketLike {
  onopen: Handler = null
  onmessage: Handler = null
  onerror: Handler = null
  onclose: Handler = null
  binaryType = 'arraybuffer'
  protocol = ''
  readyState = CONNECTING
  readonly #socket: Socket
  #rest: Buffer | null = null
  /** The frames so far of a message in several frames. */
  #pieces: Buffer[] = []
  #kind = BINARY

  constructor(url: string, headers: Record<string, string> = {}, protocols: readonly string[] = []) {
    const { hostname, port, pathname, search } = new URL(url)
    const callback = (bytes: number): boolean => {
      this.#read(readBuffer.subarray(0, bytes))
      return true
    }
    const host = hostname === 'localhost' ? '127.0.0.1' : hostname // saves a thousand look-ups of the same name
    // With `onread` bytes come straight from the system's call, without a stream in between.
    this.#socket = connect({ host, port: Number(port), onread: { buffer: readBuffer, callback } })
    this.#socket.setNoDelay()
    this.#socket.on('error', (error) => this.#fail(error.message))
    this.#socket.on('close', () => this.#closed(1006, ''))
    const fields = {
      Host: `${hostname}:${port}`,
      Upgrade: 'websocket',
      Connection: 'Upgrade',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      'Sec-WebSocket-Version': '13',
      ...(protocols.length > 0 && { 'Sec-WebSocket-Protocol': protocols.join(', ') }),
      ...headers,
    }
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
    this.#socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  }

  get bufferedAmount(): number {
    return this.#socket.writableLength
  }

  send(data: Uint8Array | string): void {
    const text = typeof data === 'string'
    if (this.readyState === OPEN) this.#write(text ? TEXT : BINARY, text ? Buffer.from(data) : data)
  }

  close(code = 1000, reason = ''): void {
    if (this.readyState !== OPEN) return this.terminate()
    const text = Buffer.from(reason)
    this.#write(CLOSE, Buffer.concat([Buffer.of(code >> 8, code & 0xff), text]))
    this.#socket.end()
    this.#closed(code, reason)
  }

  terminate(): void {
    this.#socket.destroy()
  }

  #write(kind: number, data: Uint8Array): void {
    const { length } = data
    const wide = length > 125 ? (length > 0xffff ? 8 : 2) : 0
    const frame = Buffer.allocUnsafe(2 + wide + 4 + length)
    frame[0] = 0x80 | kind
    frame[1] = 0x80 | (wide === 0 ? length : wide === 2 ? 126 : 127)
    if (wide === 2) frame.writeUInt16BE(length, 2)
    if (wide === 8) frame.writeBigUInt64BE(BigInt(length), 2)
    // RFC 6455 demands a mask. With zeros the crowd computes nothing, and the server unmasks as usual.
    frame.fill(0, 2 + wide, 6 + wide)
    frame.set(data, 6 + wide)
    this.#socket.write(frame)
  }

  #read(bytes: Buffer): void {
    let at = 0
    const all = this.#rest ? Buffer.concat([this.#rest, bytes]) : bytes
    if (this.readyState === CONNECTING) at = this.#readAnswer(all)
    if (this.readyState === OPEN) at = this.#readFrames(all, at)
    this.#rest = at < all.length ? Buffer.from(all.subarray(at)) : null
  }

  /** Returns the index at which the frames begin; 0 while the answer is incomplete. */
  #readAnswer(bytes: Buffer): number {
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) return 0
    const head = bytes.toString('latin1', 0, end)
    const status = head.slice(9, 12)
    if (status !== '101') {
      this.#fail(`Unexpected server response: ${status}`)
      this.terminate()
      return bytes.length
    }
    this.protocol = /^sec-websocket-protocol: *(.*)$/im.exec(head)?.[1] ?? ''
    this.readyState = OPEN
    this.onopen?.({} as never)
    return end + 4
  }

  /** Returns the index of the first incomplete frame. */
  #readFrames(bytes: Buffer, start: number): number {
    let at = start
    while (at + 2 <= bytes.length && this.readyState === OPEN) {
      const short = bytes[at + 1]! & 0x7f
      const begin = at + (short < 126 ? 2 : short === 126 ? 4 : 10)
      if (begin > bytes.length) return at
      const length =
        short < 126
          ? short
          : short === 126
            ? bytes.readUInt16BE(at + 2)
            : Number(bytes.readBigUInt64BE(at + 2))
      if (begin + length > bytes.length) return at
      this.#receive(bytes[at]!, bytes.subarray(begin, begin + length))
      at = begin + length
    }
    return at
  }

  #receive(head: number, piece: Buffer): void {
    const kind = head & 0x0f
    if (kind === PING) return this.#write(PONG, piece)
    if (kind === PONG) return
    if (kind === CLOSE)
      return this.close(piece.length > 1 ? piece.readUInt16BE(0) : 1005, piece.toString('utf8', 2))
    if (kind !== 0) this.#kind = kind
    const last = (head & 0x80) !== 0
    if (last && this.#pieces.length === 0) return this.#give(piece)
    this.#pieces.push(Buffer.from(piece))
    if (last) this.#give(Buffer.concat(this.#pieces.splice(0)))
  }

  #give(message: Buffer): void {
    const data =
      this.#kind === TEXT
        ? message.toString()
        : message.buffer.slice(message.byteOffset, message.byteOffset + message.length)
    this.onmessage?.({ data } as never)
  }

  #fail(message: string): void {
    if (this.readyState === CONNECTING) this.onerror?.({ message } as never)
  }

  #closed(code: number, reason: string): void {
    if (this.readyState === CLOSED) return
    this.readyState = CLOSED
    this.onclose?.({ code, reason } as never)
  }
}
