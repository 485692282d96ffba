/**
 * Exchanges views with the person's other windows on this document in this browser, as fast as a broadcast channel carries them.
 *
 *   newcomer: hello ──▶ everybody: here, with what they look at          then: view, note … bye
 */
import type { BroadcastChannelLike } from '../broadcast-channel.ts'
import { randomId } from '../protocol/ids.ts'
import { readTextPosition, type TextPosition } from './text-position.ts'
import { readWindowView, type WindowView } from './view.ts'

interface LocalViewsHandlers {
  /** @param by A Yjs client, as by presence. */
  onView(view: WindowView, by: number): void
  /** The heading and the selection changed, and nothing moved. */
  onSelection(heading: TextPosition | null, selection: TextPosition | null): void
  /** The linked windows follow that person from now on; null: no longer. */
  onFollow(person: string | null): void
  currentView(): WindowView | null
  currentState(): { readonly linked: boolean; readonly followed: string | null }
  /** There is another window in this browser. */
  onWindowFound(): void
}

type ViewMessageBody =
  | { readonly type: 'hello' | 'bye' }
  | {
      readonly type: 'here'
      readonly to: string
      readonly view: WindowView | null
      readonly followed: string | null
    }
  | { readonly type: 'view'; readonly view: WindowView }
  | { readonly type: 'follow'; readonly followed: string | null }
  | { readonly type: 'note'; readonly heading: TextPosition | null; readonly selection: TextPosition | null }

type ViewMessage = ViewMessageBody & { readonly from: string; readonly client: number }

export class LocalViews {
  readonly #channel: BroadcastChannelLike | null
  readonly #client: number
  readonly #id = randomId()
  readonly #handlers: LocalViewsHandlers
  readonly #knownWindows = new Set<string>()
  /** Yjs client ids of windows in this browser: their views come this way, before presence brings them. */
  readonly clientIds = new Set<number>()

  constructor(channel: BroadcastChannelLike | null, client: number, handlers: LocalViewsHandlers) {
    this.#channel = channel
    this.#client = client
    this.#handlers = handlers
    channel?.addEventListener('message', ({ data }) => this.#receive(data as ViewMessage))
  }

  sendHello(): void {
    this.#broadcast({ type: 'hello' })
  }

  broadcastView(view: WindowView): void {
    if (this.#knownWindows.size > 0) this.#broadcast({ type: 'view', view })
  }

  broadcastSelection(heading: TextPosition | null, selection: TextPosition | null): void {
    if (this.#knownWindows.size > 0) this.#broadcast({ type: 'note', heading, selection })
  }

  broadcastFollow(followed: string | null): void {
    this.#broadcast({ type: 'follow', followed })
  }

  close(): void {
    this.#broadcast({ type: 'bye' })
    this.#channel?.close()
  }

  #broadcast(body: ViewMessageBody): void {
    const message: ViewMessage = { ...body, from: this.#id, client: this.#client }
    this.#channel?.postMessage(message)
  }

  #receive(message: ViewMessage): void {
    if (message.type === 'bye') return void this.#knownWindows.delete(message.from)
    this.#addWindow(message)
    switch (message.type) {
      case 'hello':
        return this.#sendHere(message.from)
      case 'here':
        return message.to === this.#id
          ? this.#receiveHere(message.view, message.client, message.followed)
          : undefined
      case 'follow':
        return this.#handlers.onFollow(message.followed)
      case 'view':
        return this.#receiveView(message.view, message.client)
      case 'note':
        return this.#handlers.onSelection(
          readTextPosition(message.heading) ?? null,
          readTextPosition(message.selection) ?? null,
        )
    }
  }

  #addWindow({ from, client }: ViewMessage): void {
    if (this.#knownWindows.has(from)) return
    this.#knownWindows.add(from)
    this.clientIds.add(client)
    this.#handlers.onWindowFound()
  }

  /** A window that is not linked says that it is here, and nothing more. */
  #sendHere(to: string): void {
    const { linked, followed } = this.#handlers.currentState()
    this.#broadcast({
      type: 'here',
      to,
      view: linked ? this.#handlers.currentView() : null,
      followed: linked ? followed : null,
    })
  }

  #receiveHere(view: unknown, from: number, followed: string | null): void {
    this.#receiveView(view, from)
    if (followed !== null) this.#handlers.onFollow(followed)
  }

  #receiveView(value: unknown, from: number): void {
    const view = readWindowView(value)
    if (view) this.#handlers.onView(view, from)
  }
}
