/**
 * Reads a WebSocket in turns of the event loop, so that nobody waits while thousands of one client's messages are worked through: in one
 * turn so many of a principal are received, by all its connections, and the rest in later turns, in order. The close comes last.
 */
import { WebSocket } from 'ws'
import { TurnLimit } from '../turn-limit.ts'

/** 256 KiB a turn: libuv reads up to 2 MiB at once, which takes 10 ms before anything of it is received. */
export const READ_ITEM_BYTES = 512
const readLimit = new TurnLimit(READ_ITEM_BYTES)

export interface WebSocketListener {
  onMessage(data: Buffer<ArrayBuffer>, isBinary: boolean): void
  onClosed(code: number, reason: Buffer): void
}

interface ReceivedEvent {
  readonly bytes: number
  tell(): void
}

export class WebSocketReader {
  readonly #webSocket: WebSocket
  readonly #principal: string
  #isHeld = false
  #isTurnOver = false
  /** The rest of the chunk in which the turn was over. No other is read meanwhile. */
  #waiting: ReceivedEvent[] = []

  constructor(webSocket: WebSocket, principal: string) {
    this.#webSocket = webSocket
    this.#principal = principal
  }

  start({ onMessage, onClosed }: WebSocketListener): void {
    const countControl = ({ length }: Buffer): void => this.#receive({ bytes: length, tell: () => {} })
    this.#webSocket
      .on('message', (data: Buffer<ArrayBuffer>, isBinary) => {
        if (this.#isOpen) this.#receive({ bytes: data.length, tell: () => onMessage(data, isBinary) })
      })
      .on('ping', countControl)
      .on('pong', countControl)
      .on('close', (code, reason) => this.#receive({ bytes: 0, tell: () => onClosed(code, reason) }))
  }

  /** While it is held, no more is read than was read already. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld
    this.#pauseOrResume()
  }

  #receive(event: ReceivedEvent): void {
    if (!this.#isTurnOver) this.#takeTurn(event.bytes)
    if (this.#isTurnOver) this.#waiting.push(event)
    else event.tell()
  }

  #takeTurn(bytes: number): void {
    const nextTurn = readLimit.take(this.#principal, bytes)
    if (!nextTurn) return
    this.#isTurnOver = true
    this.#pauseOrResume()
    void nextTurn.then(() => this.#startTurn())
  }

  #startTurn(): void {
    this.#isTurnOver = false
    const events = this.#waiting
    this.#waiting = []
    for (const event of events) this.#receive(event)
    this.#pauseOrResume()
  }

  get #isOpen(): boolean {
    return this.#webSocket.readyState === WebSocket.OPEN
  }

  /** A socket that is closing is not held, since the client's close frame is to be read. */
  #pauseOrResume(): void {
    const isPaused = this.#isTurnOver || (this.#isHeld && this.#isOpen)
    if (isPaused === this.#webSocket.isPaused) return
    if (isPaused) this.#webSocket.pause()
    else this.#webSocket.resume()
  }
}
