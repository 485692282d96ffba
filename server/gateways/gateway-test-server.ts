/** The transports' gateways behind real listeners on ports of their own, with an access of their own, for tests. */
import { createServer } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { createSecureServer } from 'node:http2'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { pino } from 'pino'
import { paths } from '../../lib/protocol/http.ts'
import { createSelfSignedCertificate } from '../../lib/transports/net/self-signed-certificate.ts'
import { RecordingAcceptor } from '../../lib/transports/recording-sink.ts'
import type { Link, Sink } from '../../lib/transports/transport.ts'
import type { Access, AccessRequest, AccessRefusal } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { answerError } from '../http-answers.ts'
import type { Gateway, GatewayDependencies, GatewayRequest, GatewayResponse } from './gateway.ts'
import { createTransportGateways } from './transport-gateways.ts'

export class GatewayTestServer {
  readonly acceptor = new RecordingAcceptor()
  /** Receives each admitted link. */
  accept: (link: Link) => Sink = this.acceptor.accept
  /** `POST /sync/up` and the like, in their order. */
  readonly requestLog: string[] = []
  /** If set, nobody is admitted. */
  refusal: AccessRefusal | undefined
  draining = false
  /** Bodies of POSTs that are still being received. */
  openUploads = 0
  /** Polls without an answer yet. */
  waitingPolls = 0
  http = ''
  https = ''
  readonly #gateways: Gateway[]
  readonly #servers: Server[] = []
  readonly #sockets = new Set<Socket>()

  static async start(
    makeGateways: (dependencies: GatewayDependencies) => Gateway[] = createTransportGateways,
  ): Promise<GatewayTestServer> {
    const server = new GatewayTestServer(makeGateways)
    await server.#listen()
    return server
  }

  private constructor(makeGateways: (dependencies: GatewayDependencies) => Gateway[]) {
    const isDraining = (): boolean => this.draining
    const sessions = {
      accept: (link: Link) => this.accept(link),
      get draining() {
        return isDraining()
      },
    }
    this.#gateways = makeGateways({ access: this.#access(), sessions, log: pino({ level: 'silent' }) })
  }

  /** Breaks all connections without a close. */
  cutConnections(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    for (const gateway of this.#gateways) gateway.close()
    const closed = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)))
    this.cutConnections()
    await Promise.all(closed)
  }

  async #listen(): Promise<void> {
    const plain = createServer({ requestTimeout: 0 })
    const secure = createSecureServer({
      allowHTTP1: true,
      settings: { enableConnectProtocol: true },
      ...(await createSelfSignedCertificate()),
    })
    this.http = `http://127.0.0.1:${await this.#open(plain)}`
    this.https = `https://127.0.0.1:${await this.#open(secure)}`
    secure.on('connect', (request: Http2ServerRequest, response: Http2ServerResponse) => {
      this.requestLog.push(`CONNECT ${request.url}`)
      if (!this.#gateways.some((gateway) => gateway.handleConnect?.(request, response)))
        answerError(response, 404, 'not-found', 'There is nothing here.')
    })
    for (const server of [plain, secure]) {
      const isSecure = server === secure
      server.on('request', (request: GatewayRequest, response: GatewayResponse) => {
        this.requestLog.push(`${request.method} ${request.url?.split('?')[0]}`)
        if (request.method === 'POST') this.#countUpload(request)
        if (request.url === paths.next) this.#countPoll(response)
        if (this.#gateways.some((gateway) => gateway.handleRequest(request, response, isSecure))) return
        answerError(response, 404, 'not-found', 'There is nothing here.')
      })
      server.on('upgrade', (request, socket, head) => {
        this.requestLog.push(`UPGRADE ${request.url}`)
        if (!this.#gateways.some((gateway) => gateway.handleUpgrade(request, socket, head, isSecure)))
          socket.destroy()
      })
    }
  }

  async #open(server: Server): Promise<number> {
    this.#servers.push(server)
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }

  #countUpload(body: Readable): void {
    this.openUploads += 1
    body.once('close', () => (this.openUploads -= 1))
  }

  #countPoll(answer: Writable): void {
    this.waitingPolls += 1
    answer.once('close', () => (this.waitingPolls -= 1))
  }

  #access(): Access {
    return {
      admit: async (request, { ticketed = false } = {}) => this.refusal ?? admit(request, ticketed),
      isOriginAllowed: isOriginAllowed,
      credentialOf: ({ headers }) => headers.authorization ?? headers.cookie ?? '',
      roleOf: async () => 'editor',
      onChanged: () => () => {},
    }
  }
}

/** A page of ours, or a program without a cookie. */
const isOriginAllowed = ({ headers }: AccessRequest): boolean => {
  if (headers.origin === undefined) return headers.cookie === undefined
  return headers.origin.startsWith('https://127.0.0.1:') || headers.origin.startsWith('http://127.0.0.1:')
}

function admit(request: AccessRequest, ticketed: boolean): Principal | AccessRefusal {
  const { origin, authorization, cookie } = request.headers
  if (!isOriginAllowed(request) && !(ticketed && origin === undefined)) {
    return { status: 403, code: 'origin', message: `The origin ${origin} is not allowed.` }
  }
  const credential = authorization ?? cookie
  if (credential === undefined) return { status: 401, code: 'sign-in', message: 'Bring a cookie or a token.' }
  return { id: `test:${credential}`, name: 'Test', credential }
}
