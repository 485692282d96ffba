/**
 * A small load balancer for `npm run cluster` and tests. It prefers none of its targets: each connection or request goes to the next
 * one that accepts connections. It knows no path, no cookie and no node's name.
 */
import http from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export interface Balancer {
  readonly port: number
  close(): Promise<void>
}

export interface BalancerOptions {
  /** The ports of the targets on this computer, read anew each time. */
  targets(): readonly number[]
  /** 0 for any free one. */
  readonly port?: number
}

/** Gives each connection to the next target, as it is: TLS and HTTP/2 pass through. */
export function balanceConnections(options: BalancerOptions): Promise<Balancer> {
  const nextTargets = takeTurns(options)
  const server = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => client.destroy())
    void connectToFirst(nextTargets()).then((target) => (target ? join(client, target) : client.destroy()))
  })
  return listen(server, options)
}

/** Gives each request of HTTP/1.1 to the next target: the hardest thing that a balancer does to those who keep state. */
export function balanceRequests(options: BalancerOptions): Promise<Balancer> {
  const nextTargets = takeTurns(options)
  const server = http.createServer({ requestTimeout: 0 }, (request, response) => {
    void connectToFirst(nextTargets()).then((target) =>
      target ? passRequest(request, response, target) : refuse(response),
    )
  })
  server.on('upgrade', (request: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy())
    void connectToFirst(nextTargets()).then((target) => {
      if (!target) return void client.destroy()
      target.write(requestHead(request))
      target.write(head)
      join(client, target)
    })
  })
  return listen(server, options)
}

/** Returns a function that returns all targets, beginning with the one whose turn it is. */
function takeTurns({ targets }: BalancerOptions): () => readonly number[] {
  let turn = 0
  return () => {
    const all = targets()
    const first = turn++ % Math.max(1, all.length)
    return [...all.slice(first), ...all.slice(0, first)]
  }
}

async function connectToFirst(ports: readonly number[]): Promise<Socket | null> {
  for (const port of ports) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.on('error', () => socket.destroy())
    if (isOpen) return socket
  }
  return null
}

function join(client: Duplex, target: Duplex): void {
  client.pipe(target)
  target.pipe(client)
  client.once('close', () => target.destroy())
  target.once('close', () => client.destroy())
}

function passRequest(request: IncomingMessage, response: ServerResponse, target: Socket): void {
  const outgoing = http.request({
    createConnection: () => target,
    method: request.method,
    path: request.url,
    // A target that is asked to close does so after its answer. An answer that comes before the whole body would be lost.
    headers: { ...request.headers, connection: 'keep-alive' },
  })
  outgoing.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, withoutConnection(answer.headers))
    response.flushHeaders()
    answer.pipe(response)
    answer.once('error', () => response.destroy())
  })
  outgoing.once('error', () => !response.headersSent && refuse(response)) // else the answer ends with an error of its own
  response.once('close', () => {
    target.destroy()
    request.unpipe(outgoing).resume() // some clients read no answer before they have sent everything
  })
  request.pipe(outgoing)
}

function withoutConnection({
  connection: _,
  'keep-alive': __,
  'transfer-encoding': ___,
  ...headers
}: http.IncomingHttpHeaders): http.IncomingHttpHeaders {
  return headers
}

const refuse = (response: ServerResponse): void => void response.writeHead(502).end('No node answers.')

function requestHead({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

async function listen(server: Server, { port = 0 }: BalancerOptions): Promise<Balancer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.setNoDelay(true).once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
