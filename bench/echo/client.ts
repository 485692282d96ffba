/** One connection of one way to the echo server: opened from nothing, and spoken over. Knows no session. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as tlsConnect } from 'node:tls'
import { FrameJoiner, packFrames } from '../../lib/protocol/framing.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { transports } from '../../lib/transports/registry.ts'
import type { Link, LinkTarget } from '../../lib/transports/transport.ts'
import { isHttp2, type Scheme, type EchoLane, echoLaneOf, type EchoLaneName } from './echo-lanes.ts'

export interface EchoConnection {
  /** Resolves once what is said goes up the way that was wanted: a streamed body takes over from POSTs. */
  ready(): Promise<void>
  /** The same bytes, once they have all come back. One at a time. */
  echo(payload: Uint8Array): Promise<Uint8Array>
  close(): Promise<void>
}

/** @param port As seen from here: a proxy's, or the server's own. Resolves when bytes may flow. */
export function openEcho(name: EchoLaneName, scheme: Scheme, port: number): Promise<EchoConnection> {
  const lane = echoLaneOf(name)
  return lane.transport ? openLink(lane, name, scheme, port) : openRaw(scheme, port)
}

async function openRaw(scheme: Scheme, port: number): Promise<EchoConnection> {
  const options = { host: '127.0.0.1', port, noDelay: true, rejectUnauthorized: false }
  const socket: Socket = scheme === 'tls' ? tlsConnect(options) : connect(options)
  await once(socket, scheme === 'tls' ? 'secureConnect' : 'connect')
  socket.on('error', () => {})
  return {
    ready: () => Promise.resolve(),
    echo: (payload) => rawEcho(socket, payload),
    async close() {
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
  lane: EchoLane,
  name: EchoLaneName,
  scheme: Scheme,
  port: number,
): Promise<EchoConnection> {
  const net = createNet({ insecure: true, webSocketOverHttp2: lane.overH2 })
  const origin = `${scheme === 'tls' ? 'https' : 'http'}://localhost:${port}`
  const target: LinkTarget = { origin, net, streamedBody: lane.up === 'streamed body' }
  const listener = new Listener()
  const link = await transports.get(lane.transport!)!.open(target, listener, AbortSignal.timeout(10_000))
  const { protocol } = link.info
  if (protocol !== (isHttp2(name, scheme) ? 'h2' : 'http/1.1'))
    throw new Error(`${name} over ${scheme}: the link speaks ${protocol}.`)
  return {
    async ready() {
      while (link.info.up !== lane.up) await sleep(1)
    },
    echo: (payload) => listener.echo(link, payload),
    async close() {
      link.close({ code: 'done' })
      await listener.closed
      net.dispose()
    },
  }
}

class Listener {
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

  onFrame(frame: Uint8Array): void {
    const whole = this.#joiner.push(frame)
    if (whole) this.#answer?.resolve(whole)
  }

  onClosed(reason: { code: string }): void {
    this.#answer?.reject(new Error(`the link ended: ${reason.code}`))
    this.#closed.resolve()
  }
}
