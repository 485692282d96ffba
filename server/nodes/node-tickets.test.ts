import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StockTickets } from '../gateways/stock-tickets.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { createForwarding, type Forwarding } from './create-forwarding.ts'
import { ForwardProof, NODE_HEADER } from './forward-proof.ts'
import { KnownNodes } from './fixtures/known-nodes.ts'
import { createNodeTicketHandler, createTicketRedeemer } from './node-tickets.ts'

const ada = { id: 'user:ada', name: 'Ada', credential: 'a' }
const options = { log: silentLogger, trustedProxies: [], limitOpenConnections: null }

let nodes: KnownNodes
let tickets: StockTickets
let asked: number
const closers: (() => unknown)[] = []
beforeEach(async () => {
  nodes = new KnownNodes()
  tickets = new StockTickets('a')
  asked = 0
  const { readForwarded, proof } = forwardingAt('a')
  const handler = createNodeTicketHandler(tickets, proof)
  const server = createServer((request: IncomingMessage, response) => {
    asked += 1
    readForwarded(request, response)
    if (!handler.handleRequest(request, response, false)) response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closers.push(() => server.close())
  nodes.set('a', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
afterEach(() => {
  tickets.expireAll()
  for (const close of closers.splice(0)) close()
})

function forwardingAt(name: string, secret = Buffer.alloc(32, 5)): Forwarding {
  const forwarding = createForwarding({ ...options, nodes: nodes.as(name), secret })
  closers.push(() => forwarding.close())
  return forwarding
}

test('[S10] [A3] a ticket is good at another node, once, and for its document alone', async () => {
  const redeem = createTicketRedeemer(forwardingAt('b'))
  const first = tickets.issue(ada, 'one')!
  expect(await redeem(first, 'one')).toEqual(ada)
  expect(await redeem(first, 'one')).toBeNull()
  expect(await redeem(tickets.issue(ada, 'one')!, 'two')).toBeNull()
  expect(asked).toBe(3)
})

test('[S10] no node is asked for a ticket that names none, this one, or one that is gone', async () => {
  const redeem = createTicketRedeemer(forwardingAt('b'))
  for (const ticket of ['', 'b.AAAA', 'c.AAAA', 'AAAA']) expect(await redeem(ticket, 'one')).toBeNull()
  expect(asked).toBe(0)
  const unused = tickets.issue(ada, 'one')!
  nodes.remove('a')
  expect(await redeem(unused, 'one')).toBeNull()
})

test('[A3] nobody but a node is answered', async () => {
  const redeem = createTicketRedeemer(forwardingAt('b', Buffer.alloc(32, 6)))
  const ticket = tickets.issue(ada, 'one')!
  expect(await redeem(ticket, 'one')).toBeNull()
  expect(asked).toBe(1)
  expect(tickets.redeem(ticket, 'one')).toEqual(ada)
})

test('[A3] what merely listens at a node’s address names nobody', async () => {
  const forgery = new ForwardProof(Buffer.alloc(32, 6), 'a')
  const line = { method: 'ANSWER', url: 'a.AAAA', host: 'one' }
  const answers = [
    JSON.stringify({ principal: ada }),
    forgery.write('b', line, { secure: true, peer: '', principal: ada }),
  ]
  for (const answer of answers) {
    const server = createServer((request, response) => {
      request.resume()
      response.setHeader(NODE_HEADER, 'a').end(answer)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    closers.push(() => server.close())
    nodes.set('a', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    expect(await createTicketRedeemer(forwardingAt('b'))('a.AAAA', 'one')).toBeNull()
  }
})
