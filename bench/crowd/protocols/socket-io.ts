/**
 * Socket.IO 4 by either of its transports, written by hand: its own client's polling opens a connection for each request in Node,
 * which no browser does. Edits are base64 in an event, and come back to their author.
 */
import { Agent, request } from 'node:http'
import type { CrowdProtocol, CrowdListener, DocumentAddress, CrowdConnection } from '../protocol.ts'
import { LightSocket } from '../light-socket.ts'

// Engine.IO's packets, and of those Socket.IO's.
const OPEN = '0'
const PING = '2'
const PONG = '3'
const CONNECT = '40'
const EVENT = '42'
const SEPARATOR = '\x1e'

const pathOf = (transport: string, document: string): string =>
  `/socket.io/?EIO=4&transport=${transport}&document=${document}`

/** Either transport, once it is open. */
interface Wire {
  send(packet: string): void
  close(): void
}

class Client implements CrowdConnection {
  readonly opening = Promise.withResolvers<CrowdConnection>()
  wire: Wire | null = null
  readonly #listener: CrowdListener
  #over = false

  constructor(listener: CrowdListener) {
    this.#listener = listener
  }

  sendEdit(update: Uint8Array): void {
    this.wire?.send(`${EVENT}${JSON.stringify(['edit', Buffer.from(update).toString('base64')])}`)
  }

  /** The server asks. */
  sendHeartbeat(): void {}

  close(): void {
    this.#over = true
    this.wire?.close()
  }

  receive(packet: string): void {
    if (packet === PING) return this.wire?.send(PONG)
    if (packet.startsWith(OPEN)) return this.wire?.send(CONNECT)
    if (packet.startsWith(CONNECT)) return this.opening.resolve(this)
    if (!packet.startsWith(EVENT)) return
    const [, text] = JSON.parse(packet.slice(EVENT.length)) as [string, string]
    this.#listener.onUpdate?.(Buffer.from(text, 'base64'))
  }

  ended(why: string): void {
    this.opening.reject(new Error(why))
    if (!this.#over) this.#listener.onClosed?.(why)
  }
}

export const socketIoWebsocket: CrowdProtocol = {
  heartbeatMs: 25_000,
  echoes: true,
  open(origin, { document }, listener) {
    const client = new Client(listener)
    const socket = new LightSocket(origin.replace(/^http/, 'ws') + pathOf('websocket', document))
    client.wire = socket
    socket.onmessage = ({ data }: { data: string }) => client.receive(data)
    socket.onerror = ({ message }: { message: string }) => client.ended(message)
    socket.onclose = ({ code, reason }: { code: number; reason: string }) => client.ended(`${code} ${reason}`)
    return client.opening.promise
  },
}

export const socketIoPolling: CrowdProtocol = {
  heartbeatMs: 25_000,
  echoes: true,
  open(origin, place, listener) {
    const client = new Client(listener)
    const polling = new Polling(origin, place, client)
    client.wire = polling
    void polling.run()
    return client.opening.promise
  },
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

/** One parked GET at a time; one POST at a time, of what was said meanwhile. */
class Polling implements Wire {
  readonly #client: Client
  #address: URL
  #waiting: string[] = []
  #posting = false
  #over = false

  constructor(origin: string, { document }: DocumentAddress, client: Client) {
    this.#address = new URL(origin + pathOf('polling', document))
    this.#client = client
  }

  async run(): Promise<void> {
    try {
      while (!this.#over)
        for (const packet of (await this.#ask('GET')).split(SEPARATOR)) this.#receive(packet)
    } catch (error) {
      this.#client.ended(String(error))
    }
  }

  send(packet: string): void {
    this.#waiting.push(packet)
    if (!this.#posting) void this.#post()
  }

  close(): void {
    this.#over = true
    this.send('1')
  }

  #receive(packet: string): void {
    if (packet.startsWith(OPEN)) {
      const { sid } = JSON.parse(packet.slice(1)) as { sid: string }
      this.#address.searchParams.set('sid', sid)
    }
    this.#client.receive(packet)
  }

  async #post(): Promise<void> {
    this.#posting = true
    try {
      while (this.#waiting.length > 0) await this.#ask('POST', this.#waiting.splice(0).join(SEPARATOR))
    } catch (error) {
      if (!this.#over) this.#client.ended(String(error))
    }
    this.#posting = false
  }

  #ask(method: 'GET' | 'POST', body = ''): Promise<string> {
    const headers = method === 'POST' ? { 'content-type': 'text/plain;charset=UTF-8' } : {}
    return new Promise((resolve, reject) => {
      const asked = request(this.#address, { method, agent, headers, family: 4 }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        answer.on('end', () =>
          answer.statusCode === 200 ? resolve(text) : reject(new Error(`${method}: ${answer.statusCode}`)),
        )
        answer.on('error', reject)
      })
      asked.on('error', reject)
      asked.end(body)
    })
  }
}
