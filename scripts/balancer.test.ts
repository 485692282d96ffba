import { once } from 'node:events'
import http, { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type Balancer, balanceConnections, balanceRequests } from './balancer.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function startTarget(name: string): Promise<number> {
  const server: Server = createServer((request, response) => {
    request.resume()
    response.end(name)
  })
  server.on('upgrade', (_, socket: Socket) => {
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n${name}`)
    socket.on('error', () => {}).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function openBalancer(balance: typeof balanceRequests, targets: number[]): Promise<Balancer> {
  const balancer = await balance({ targets: () => targets })
  closers.push(() => balancer.close())
  return balancer
}

const textFrom = async ({ port }: Balancer, agent: http.Agent | false): Promise<string> => {
  const sent = http.request({ port, host: '127.0.0.1', agent, method: 'POST' })
  sent.end('a body')
  const [answer] = (await once(sent, 'response')) as [http.IncomingMessage]
  return Buffer.concat(await answer.toArray()).toString()
}

const textsFrom = async (balancer: Balancer, agent: http.Agent | false): Promise<string[]> => {
  const texts: string[] = []
  for (let count = 0; count < 4; count++) texts.push(await textFrom(balancer, agent))
  return texts
}

test('each request goes to the next target, also on one connection', async () => {
  const balancer = await openBalancer(balanceRequests, [await startTarget('a'), await startTarget('b')])
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  closers.push(() => agent.destroy())
  expect(await textsFrom(balancer, agent)).toEqual(['a', 'b', 'a', 'b'])
})

test('each connection goes to the next target', async () => {
  const balancer = await openBalancer(balanceConnections, [await startTarget('a'), await startTarget('b')])
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  closers.push(() => agent.destroy())
  expect(await textsFrom(balancer, agent)).toEqual(['a', 'a', 'a', 'a'])
  expect(await textsFrom(balancer, false)).toEqual(['b', 'a', 'b', 'a'])
})

test.each([balanceConnections, balanceRequests])(
  'a target that refuses connections is passed over',
  async (balance) => {
    const targets = [await startTarget('a'), await startTarget('b')]
    const balancer = await openBalancer(balance, targets)
    closers[0]!() // the first target
    expect(await textsFrom(balancer, false)).toEqual(['b', 'b', 'b', 'b'])
  },
)

test.each([balanceConnections, balanceRequests])(
  'an answer that comes while the body is still on its way is read, and the connection goes on',
  async (balance) => {
    const server = createServer((_request, response) => void response.writeHead(413).end('too large'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(() => {
      server.closeAllConnections()
      server.close()
    })
    const balancer = await openBalancer(balance, [(server.address() as AddressInfo).port])
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    closers.push(() => agent.destroy())
    for (let turn = 0; turn < 10; turn++) {
      const sent = http.request({ port: balancer.port, host: '127.0.0.1', agent, method: 'POST' })
      const [[answer]] = (await Promise.all([
        once(sent, 'response'),
        sendInPieces(sent, Buffer.alloc(4 * 1024 * 1024)),
      ])) as [[http.IncomingMessage], void]
      expect(answer.statusCode).toBe(413)
      expect(Buffer.concat(await answer.toArray()).toString()).toBe('too large')
    }
  },
)

/** Gives the answer time to come in between. */
async function sendInPieces(sent: http.ClientRequest, body: Buffer): Promise<void> {
  const pieceBytes = body.length / 8
  for (let at = 0; at < body.length; at += pieceBytes) {
    await new Promise((resolve) => sent.write(body.subarray(at, at + pieceBytes), resolve))
    await new Promise((resolve) => setImmediate(resolve))
  }
  sent.end()
}

test.each([balanceConnections, balanceRequests])('an upgrade goes through, both ways', async (balance) => {
  const balancer = await openBalancer(balance, [await startTarget('a')])
  const headers = { connection: 'upgrade', upgrade: 'x' }
  const sent = http.request({ port: balancer.port, host: '127.0.0.1', headers, agent: false }).end()
  const [, socket, head] = (await once(sent, 'upgrade')) as [unknown, Socket, Buffer]
  socket.write('echo')
  let text = head.toString()
  while (text !== 'aecho') text += String((await once(socket, 'data'))[0])
  socket.destroy()
})
