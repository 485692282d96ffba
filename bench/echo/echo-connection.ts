/** Opens one connection to the echo server, by one lane, and sends echoes over it. Knows no session. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as tlsConnect } from 'node:tls'
import { FrameJoiner, packFrames } from '../../lib/protocol/framing.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { transports } from '../../lib/transports/registry.ts'
import type { Link, LinkTarget, Sink } from '../../lib/transports/transport.ts'
import { type EchoLane, echoLaneOf, type EchoLaneName, isHttp2, type Scheme } from './echo-lanes.ts'

export interface EchoRoute {
  readonly lane: EchoLaneName
  readonly scheme: Scheme
  /** The port of the server, or of a proxy in front of it. */
  readonly port: number
}

interface EchoConnection extends AsyncDisposable {
  /** Resolves once the upload is of the lane's kind: a streamed body takes over from POSTs. */
  ready(): Promise<void>
  /** Returns the bytes that came back. There may be one echo at a time. */
  echo(payload: Uint8Array): Promise<Uint8Array>
}

/** Resolves when bytes can be sent. */
export function openEcho(route: EchoRoute): Promise<EchoConnection> {
  const { transport } = echoLaneOf(route.lane)
  return transport ? openLink(transport, route) : openRaw(route)
}

async function openRaw({ scheme, port }: EchoRoute): Promise<EchoConnection> {
  const options = { host: '127.0.0.1', port, noDelay: true, rejectUnauthorized: false }
  const socket: Socket = scheme === 'tls' ? tlsConnect(options) : connect(options)
  await once(socket, scheme === 'tls' ? 'secureConnect' : 'connect')
  socket.on('error', () => {})
  return {
    ready: () => Promise.resolve(),
    echo: (payload) => rawEcho(socket, payload),
    async [Symbol.asyncDispose]() {
      socket.end()
      if (!socket.closed) await once(socket, 'close')
    },
  }
}

function rawEcho(socket: Socket, payload: Uint8Array): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let missing = payload.length
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk)
      missing -= chunk.length
      if (missing > 0) return
      socket.off('data', onData).off('error', reject)
      resolve(new Uint8Array(Buffer.concat(chunks)))
    }
    socket.on('data', onData).once('error', reject)
    socket.write(payload)
  })
}

async function openLink(
  transport: NonNullable<EchoLane['transport']>,
  { lane, scheme, port }: EchoRoute,
): Promise<EchoConnection> {
  const { overH2, up } = echoLaneOf(lane)
  const net = createNet({ insecure: true, webSocketOverHttp2: overH2 })
  const origin = `${scheme === 'tls' ? 'https' : 'http'}://localhost:${port}`
  const target: LinkTarget = { origin, net, streamedBody: up === 'streamed body' }
  const sink = new EchoSink()
  const link = await transports.get(transport)!.open(target, sink, AbortSignal.timeout(10_000))
  const { protocol } = link.info
  if (protocol !== (isHttp2(lane, scheme) ? 'h2' : 'http/1.1'))
    throw new Error(`${lane} over ${scheme}: the link speaks ${protocol}.`)
  return {
    async ready() {
      while (link.info.up !== up) await sleep(1)
    },
    echo: (payload) => sink.echo(link, payload),
    async [Symbol.asyncDispose]() {
      link.close({ code: 'done' })
      await sink.closed
      net.dispose()
    },
  }
}

class EchoSink implements Sink {
  readonly #closed = Promise.withResolvers<void>()
  readonly #joiner = new FrameJoiner()
  #answer: PromiseWithResolvers<Uint8Array> | undefined

  get closed(): Promise<void> {
    return this.#closed.promise
  }

  echo(link: Link, payload: Uint8Array): Promise<Uint8Array> {
    this.#answer = Promise.withResolvers()
    for (const frame of packFrames([payload])) void link.send(frame)
    return this.#answer.promise
  }

  onFrame(frame: Uint8Array<ArrayBuffer>): void {
    const whole = this.#joiner.push(frame)
    if (whole) this.#answer?.resolve(whole)
  }

  onClosed(reason: { code: string }): void {
    this.#answer?.reject(new Error(`the link ended: ${reason.code}`))
    this.#closed.resolve()
  }
}
