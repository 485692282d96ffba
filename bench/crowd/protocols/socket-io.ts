/**
 * Speaks Socket.IO 4 by either of its transports. Its own client would open a connection for each request of polling in Node, which no
 * browser does. Edits are base64 in an event, and come back to their author.
 */
import { Agent, request } from 'node:http'
import type { CrowdProtocol } from '../crowd-protocol.ts'
import { type ClientSocket, openOverWebSocket, SocketClient } from './socket-client.ts'

// The packets of Engine.IO; the last two are also Socket.IO's.
const OPEN = '0'
const PING = '2'
const PONG = '3'
const CONNECT = '40'
const EVENT = '42'
const SEPARATOR = '\x1e'

const pathOf = (transport: string, document: string): string =>
  `/socket.io/?EIO=4&transport=${transport}&document=${document}`

class Client extends SocketClient<string> {
  /** The server sends the first packet. */
  protected onOpen(): void {}

  sendEdit(update: Uint8Array): void {
    this.send(`${EVENT}${JSON.stringify(['edit', Buffer.from(update).toString('base64')])}`)
  }

  protected receive(packet: string): void {
    if (packet === PING) return this.send(PONG)
    if (packet.startsWith(OPEN)) return this.send(CONNECT)
    if (packet.startsWith(CONNECT)) return this.accept()
    if (!packet.startsWith(EVENT)) return
    const [, text] = JSON.parse(packet.slice(EVENT.length)) as [string, string]
    this.listener.onUpdate?.(Buffer.from(text, 'base64'))
  }
}

const shared = { heartbeatMs: 25_000, echoes: true } as const

export const socketIoWebsocket: CrowdProtocol = {
  ...shared,
  open: openOverWebSocket(Client, ({ document }) => pathOf('websocket', document)),
}

export const socketIoPolling: CrowdProtocol = {
  ...shared,
  open: (origin, address, listener) =>
    new Client(new PollingSocket(origin + pathOf('polling', address.document)), address, listener).opened,
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

/** Has one GET open at a time, and one POST, which carries all packets that were sent during the one before. */
class PollingSocket implements ClientSocket {
  onopen = null
  onmessage: ClientSocket['onmessage'] = null
  onerror = null
  onclose: ClientSocket['onclose'] = null
  readonly #address: URL
  #waiting: string[] = []
  #isPosting = false
  #isOver = false

  constructor(address: string) {
    this.#address = new URL(address)
    void this.#run()
  }

  send(packet: string): void {
    this.#waiting.push(packet)
    if (!this.#isPosting) void this.#post()
  }

  close(): void {
    this.#isOver = true
    this.send('1')
  }

  async #run(): Promise<void> {
    try {
      while (!this.#isOver)
        for (const packet of (await this.#ask('GET')).split(SEPARATOR)) this.#receive(packet)
    } catch (error) {
      this.#end(error)
    }
  }

  #receive(packet: string): void {
    if (packet.startsWith(OPEN)) {
      const { sid } = JSON.parse(packet.slice(1)) as { sid: string }
      this.#address.searchParams.set('sid', sid)
    }
    this.onmessage?.({ data: packet } as never)
  }

  async #post(): Promise<void> {
    this.#isPosting = true
    try {
      while (this.#waiting.length > 0) await this.#ask('POST', this.#waiting.splice(0).join(SEPARATOR))
    } catch (error) {
      if (!this.#isOver) this.#end(error)
    }
    this.#isPosting = false
  }

  #end(error: unknown): void {
    this.onclose?.({ code: 1006, reason: String(error) } as never)
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
