/**
 * Forwards the frames of one session's link to the node that has the session (S10), over a WebSocket of its own, and that node's
 * frames back. Numbers, acknowledgements and takeovers (S1–S4) stay between the window and that node: nothing here reads a frame.
 *
 *   connecting ──open──▶ unanswered ──first frame of the session's node──▶ forwarding ──either end closes──▶ closed
 *        └───refused, closed───┴──▶ the frames so far are handed back: this node opens a session of its own (S3)
 */
import type { Logger } from 'pino'
import { WebSocket } from 'ws'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { readWebSocketClose, webSocketCloseCode, writeWebSocketReason } from '../../lib/protocol/http.ts'
import { MAX_FRAME_BYTES, MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { SENT } from '../../lib/transports/link.ts'
import type { Link, Sink } from '../../lib/transports/transport.ts'
import type { Principal } from '../access/principal.ts'
import type { ForwardedLink, ForwardsLinks } from '../sessions/forwards-links.ts'
import { FORWARD_HEADER, type ForwardProof } from './forward-proof.ts'
import { NODE_LINK_PATH, NODE_LINK_PROTOCOL } from './node-link-path.ts'
import { type Nodes, type OtherNode, otherNodeOf } from './nodes.ts'

export interface LinkForwarderOptions {
  readonly nodes: Nodes
  readonly proof: ForwardProof
  readonly log: Logger
}

const CONNECT_TIMEOUT_MS = 2_000
/** How long the other node may take to answer our close before it is cut. */
const CLOSE_TIMEOUT_MS = 2_000
/** Frames to the other node that its network has not taken: a whole message may wait, as at a session. */
const MAX_WAITING_BYTES = MAX_MESSAGE_BYTES + MAX_FRAME_BYTES
/** What a window sends before the session answers: its hello, or a whole farewell. */
const MAX_UNANSWERED_BYTES = 64 * 1024

export class LinkForwarder implements ForwardsLinks {
  readonly #options: LinkForwarderOptions
  readonly #links = new Set<NodeLink>()
  readonly #endSubscription: () => void

  constructor(options: LinkForwarderOptions) {
    this.#options = options
    this.#endSubscription = options.nodes.onGone((name) => {
      for (const link of this.#links) if (link.node === name) link.terminate()
    })
  }

  forward(session: string, forwardedLink: ForwardedLink): Sink | null {
    const { nodes, proof, log } = this.#options
    const node = otherNodeOf(nodes, session)
    if (!node) return null
    const webSocket = openWebSocket(node, proof, forwardedLink.principal)
    const nodeLink = new NodeLink(node.name, webSocket, forwardedLink, log)
    this.#links.add(nodeLink)
    webSocket.once('close', () => this.#links.delete(nodeLink))
    return nodeLink
  }

  close(): void {
    this.#endSubscription()
    for (const link of this.#links) link.terminate()
  }
}

function openWebSocket({ name, address }: OtherNode, proof: ForwardProof, principal: Principal): WebSocket {
  const { host, href } = new URL(NODE_LINK_PATH, address)
  const line = { method: 'GET', url: NODE_LINK_PATH, host }
  return new WebSocket(href.replace(/^http/, 'ws'), [NODE_LINK_PROTOCOL], {
    headers: { [FORWARD_HEADER]: proof.write(name, line, { secure: true, peer: '', principal }) },
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    handshakeTimeout: CONNECT_TIMEOUT_MS,
    closeTimeout: CLOSE_TIMEOUT_MS,
  } as WebSocket.ClientOptions)
}

class NodeLink implements Sink {
  readonly node: string
  readonly #webSocket: WebSocket
  readonly #window: Link
  readonly #chargeWaiting: ForwardedLink['chargeWaiting']
  readonly #onUnanswered: ForwardedLink['onUnanswered']
  /** Null once the session's node has answered, or more was sent than is kept. */
  #unanswered: Uint8Array<ArrayBuffer>[] | null = []
  #unansweredBytes = 0
  #isOpen = false
  /** The window's own close, until the other node can be told. */
  #windowReason: CloseReason | null = null

  constructor(
    node: string,
    webSocket: WebSocket,
    { link, chargeWaiting, onUnanswered }: ForwardedLink,
    log: Pick<Logger, 'debug'>,
  ) {
    this.node = node
    this.#webSocket = webSocket
    this.#window = link
    this.#chargeWaiting = chargeWaiting
    this.#onUnanswered = onUnanswered
    webSocket.on('open', () => this.#onOpen())
    webSocket.on('message', (data: Buffer<ArrayBuffer>) => this.#onAnswer(data))
    webSocket.on('error', (error) => log.debug({ node, error: error.message }, 'a forwarded link failed'))
    webSocket.on('close', (code, reason) => this.#onNodeClosed(readWebSocketClose(code, reason.toString())))
  }

  /** A frame of the window. */
  onFrame(frame: Uint8Array<ArrayBuffer>): void {
    this.#keep(frame)
    if (!this.#isOpen) return
    this.#send(frame)
    if (this.#webSocket.bufferedAmount > MAX_WAITING_BYTES)
      this.#window.close({ code: 'overloaded', detail: serverRefusalsStrings.link.slowReader })
  }

  /** The window's link ended. What it had sent before still arrives. */
  onClosed(reason: CloseReason): void {
    this.#windowReason = reason
    if (this.#isOpen) this.#closeNode(reason)
  }

  terminate(): void {
    this.#webSocket.terminate()
  }

  #keep(frame: Uint8Array<ArrayBuffer>): void {
    if (!this.#unanswered) return
    this.#unansweredBytes += frame.byteLength
    if (this.#unansweredBytes <= MAX_UNANSWERED_BYTES) this.#unanswered.push(frame)
    // The window itself waits for a welcome before it sends more.
    else if (this.#isOpen) this.#unanswered = null
    else this.#window.close({ code: 'overloaded', detail: serverRefusalsStrings.link.slowReader })
  }

  #onOpen(): void {
    this.#isOpen = true
    for (const frame of this.#unanswered ?? []) this.#send(frame)
    if (this.#windowReason) this.#closeNode(this.#windowReason)
  }

  #send(frame: Uint8Array): void {
    this.#chargeWaiting(frame.byteLength)
    this.#webSocket.send(frame, () => this.#chargeWaiting(-frame.byteLength))
  }

  #onAnswer(data: Buffer<ArrayBuffer>): void {
    this.#unanswered = null
    const sent = this.#window.send(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    if (sent !== SENT) void this.#waitUntilTaken(sent)
  }

  /** A window that reads slowly slows its session's node down, which then does as it does for its own (S6). */
  async #waitUntilTaken(taken: Promise<void>): Promise<void> {
    this.#webSocket.pause()
    try {
      await taken
    } catch (error) {
      this.#window.close({ code: 'lost', detail: String(error) })
    }
    this.#webSocket.resume()
  }

  #onNodeClosed(reason: CloseReason): void {
    const frames = this.#unanswered
    this.#unanswered = null
    if (!this.#windowReason && frames) this.#onUnanswered(frames)
    else this.#window.close(reason)
  }

  #closeNode(reason: CloseReason): void {
    this.#webSocket.resume() // its answer to the close must be read
    this.#webSocket.close(webSocketCloseCode(reason.code), writeWebSocketReason(reason))
  }
}
