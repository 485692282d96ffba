/**
 * Forwards a request for a link of another node to that node (S10), and its answer back: both are piped, never buffered, so
 * back-pressure and an abort reach the other side. It does not know what a request says; the node that has the link checks it.
 *
 *   client ──request──▶ this node ──the same request, and a proof──▶ the link's node: one hop, never two
 */
import http from 'node:http'
import https from 'node:https'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import type { Logger } from 'pino'
import { paths } from '../../lib/protocol/http.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { ClientAddressOf } from '../access/client-address.ts'
import type { Exchange, ForwardsRequests } from '../gateways/gateway.ts'
import { answerNoContent, discardBody, type HttpRefusal, refuseRequest } from '../gateways/http-refusals.ts'
import { abortResponse, hostOf, isClientGone } from '../http-answers.ts'
import { copyStatusAndHeaders } from '../inner-server.ts'
import { startTimeout } from '../timeouts.ts'
import { FORWARD_HEADER, type ForwardProof, NODE_HEADER } from './forward-proof.ts'
import { forwardedOriginOf } from './forwarded-origin.ts'
import { type Nodes, type OtherNode, otherNodeOf } from './nodes.ts'

export interface RequestForwarderOptions {
  readonly nodes: Nodes
  readonly proof: ForwardProof
  readonly log: Logger
  readonly addressOf: ClientAddressOf
  /** The most requests of one client address that are forwarded at once; null for no limit. */
  readonly maxOfAddress: number | null
}

/** A node that is there answers a connection within a round trip. */
const CONNECT_TIMEOUT_MS = 2_000
/** Free connections are closed before the other side does it: a request on its way to a closed one would get lost. */
const FREE_SOCKET_MS = 30_000
/** As many as a node has links. */
const MAX_FORWARDS = 20_000

/** The headers that a gateway reads, or the routes of uploads. All others stay here, those of the connection first of all. */
const passedHeaders = [
  'accept',
  'authorization',
  'content-length',
  'content-type',
  'cookie',
  'forwarded',
  'origin',
  'sec-fetch-site',
  'tus-resumable',
  'upload-checksum',
  'upload-offset',
  'user-agent',
  'x-forwarded-for',
] as const

const lostRefusal: HttpRefusal = { status: 404, code: 'lost', message: serverRefusalsStrings.gateway.noLink }

const busyRefusal: HttpRefusal = {
  status: 503,
  code: 'overloaded',
  message: serverRefusalsStrings.gateway.manyForwards,
}

interface ForwardedExchange {
  readonly exchange: Exchange
  readonly received: Uint8Array
  readonly lost: HttpRefusal
}

interface Forward {
  readonly node: string
  readonly outgoing: ClientRequest
  readonly exchange: Exchange
}

export class RequestForwarder implements ForwardsRequests {
  readonly #options: RequestForwarderOptions
  readonly #agents = {
    http: new http.Agent({ keepAlive: true, timeout: FREE_SOCKET_MS }),
    https: new https.Agent({ keepAlive: true, timeout: FREE_SOCKET_MS }),
  }
  readonly #forwards = new Set<Forward>()
  readonly #countByAddress = new Map<string, number>()
  readonly #endSubscription: () => void

  constructor(options: RequestForwarderOptions) {
    this.#options = options
    this.#endSubscription = options.nodes.onGone((name) => this.#cut(({ node }) => node === name))
  }

  /** @param lost The answer where the other node ends before it has answered. */
  forward(id: string, exchange: Exchange, received: Uint8Array, lost = lostRefusal): boolean {
    const owner = this.#ownerOf(id, exchange)
    if (!owner) return false
    const release = this.#takePlace(exchange)
    if (release) this.#send(owner, { exchange, received, lost }, release)
    else {
      refuseRequest(exchange.response, busyRefusal)
      discardBody(exchange.request)
    }
    return true
  }

  /**
   * Asks the node that the id names a question of one node to another. Returns its answer, or null where the id names this node, none
   * that lives, or one that does not answer.
   */
  async ask(id: string, url: string, question: string): Promise<string | null> {
    const { nodes, proof } = this.#options
    const node = otherNodeOf(nodes, id)
    if (!node) return null
    const { name } = node
    const line = { method: 'POST', url, host: new URL(node.address).host }
    const claims = { secure: true, peer: '', principal: null }
    const headers = { [FORWARD_HEADER]: proof.write(name, line, claims), 'content-type': 'application/json' }
    try {
      const answer = await fetch(new URL(url, node.address), {
        method: line.method,
        headers,
        body: question,
        redirect: 'error',
        signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS),
      })
      return answer.ok && answer.headers.get(NODE_HEADER) === name ? await answer.text() : null
    } catch (error) {
      this.#options.log.debug({ node: name, error: String(error) }, 'a node did not answer')
      return null
    }
  }

  /** Polls are to be made again by way of another node, which repeats an answer that was lost here. Uploads are cut. */
  close(): void {
    this.#endSubscription()
    for (const { exchange } of this.#forwards)
      if (exchange.request.url === paths.next) answerNoContent(exchange.response)
    this.#cut(() => true)
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  /** A request that was forwarded once is answered where it is: two nodes can never send one to and fro. */
  #ownerOf(id: string, { request }: Exchange): OtherNode | null {
    return forwardedOriginOf(request) ? null : otherNodeOf(this.#options.nodes, id)
  }

  /** Returns what gives the place back, or null if there is none. */
  #takePlace({ accessRequest, response }: Exchange): (() => void) | null {
    const { addressOf, maxOfAddress } = this.#options
    const address = addressOf(accessRequest)
    const count = this.#countByAddress.get(address) ?? 0
    if (this.#forwards.size >= MAX_FORWARDS || (maxOfAddress !== null && count >= maxOfAddress)) return null
    if (isClientGone(response)) return () => {}
    this.#countByAddress.set(address, count + 1)
    return () => {
      const remaining = this.#countByAddress.get(address)! - 1
      if (remaining > 0) this.#countByAddress.set(address, remaining)
      else this.#countByAddress.delete(address)
    }
  }

  #send(owner: OtherNode, { exchange, received, lost }: ForwardedExchange, release: () => void): void {
    const { log } = this.#options
    const { request, response } = exchange
    const outgoing = this.#openRequest(owner, exchange)
    const forward = { node: owner.name, outgoing, exchange }
    this.#forwards.add(forward)
    response.once('close', () => outgoing.destroy())
    outgoing.once('response', (answer) => passAnswer(owner, answer, exchange, lost))
    outgoing.on('error', (error) => {
      log.debug({ node: owner.name, error: error.message }, 'a forwarded request broke off')
      failAnswer(exchange, lost)
    })
    outgoing.once('close', () => {
      this.#forwards.delete(forward)
      release()
      const body: Readable = request
      body.unpipe(outgoing)
      discardBody(body)
    })
    passBody(request, outgoing, received)
  }

  #openRequest({ name, address }: OtherNode, { request, accessRequest }: Exchange): ClientRequest {
    const { proof } = this.#options
    const { method, secure, peer } = accessRequest
    const { url = '' } = request
    const host = hostOf(request)
    const headers: Record<string, string | string[]> = { host }
    for (const header of passedHeaders) {
      const value = accessRequest.headers[header]
      if (value !== undefined) headers[header] = value
    }
    headers[FORWARD_HEADER] = proof.write(name, { method, url, host }, { secure, peer, principal: null })
    const base = new URL(address)
    const isHttps = base.protocol === 'https:'
    const outgoing = (isHttps ? https : http).request({
      agent: isHttps ? this.#agents.https : this.#agents.http,
      host: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port,
      method,
      path: url,
      headers,
    })
    limitConnectTime(outgoing, isHttps)
    return outgoing
  }

  #cut(isMeant: (forward: Forward) => boolean): void {
    for (const forward of this.#forwards)
      if (isMeant(forward)) forward.outgoing.destroy(new Error('its node is gone'))
  }
}

function limitConnectTime(outgoing: ClientRequest, isHttps: boolean): void {
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return
    const error = new Error('the connection took too long')
    const cancel = startTimeout(CONNECT_TIMEOUT_MS, () => outgoing.destroy(error))
    socket.once(isHttps ? 'secureConnect' : 'connect', cancel).once('close', cancel)
  })
}

/** @param received What was read of the body to find its link. */
function passBody(request: Exchange['request'], outgoing: Writable, received: Uint8Array): void {
  const body: Readable = request
  if (body.readableEnded) return void outgoing.end(received)
  outgoing.write(received)
  // `pipeline` would destroy the request, and with it the client's connection, where the other node ends first.
  body.pipe(outgoing)
  const abort = (): void => void outgoing.destroy()
  body.once('error', abort).once('aborted', abort)
}

function passAnswer(owner: OtherNode, answer: IncomingMessage, exchange: Exchange, lost: HttpRefusal): void {
  const { response } = exchange
  answer.on('error', () => failAnswer(exchange, lost))
  if (answer.headers[NODE_HEADER] !== owner.name) {
    answer.destroy()
    return failAnswer(exchange, lost)
  }
  if (response.headersSent || isClientGone(response)) return void answer.destroy()
  delete answer.headers[NODE_HEADER]
  copyStatusAndHeaders(answer, response)
  const out: Writable = response
  answer.pipe(out)
}

/** Without the beginning of an answer the link is lost to the client; with it, its end is missing (T2). */
function failAnswer({ response }: Exchange, lost: HttpRefusal): void {
  if (isClientGone(response)) return
  if (!response.headersSent) return refuseRequest(response, lost)
  if (!response.writableEnded) abortResponse(response)
}
