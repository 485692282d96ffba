/**
 * Exchanges views with the person's other windows on this document in this browser, as fast as a broadcast channel carries them. A newcomer
 * is told what the others look at.
 */
import { type GroupMessage, WindowGroup, type WindowGroupPlatform } from '../window-group/window-group.ts'
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

type ViewMessage = { /** A Yjs client. */ readonly client: number } & (
  | { readonly type: 'hello' | 'bye' }
  | { readonly type: 'here'; readonly view: WindowView | null; readonly followed: string | null }
  | { readonly type: 'view'; readonly view: WindowView }
  | { readonly type: 'follow'; readonly followed: string | null }
  | { readonly type: 'note'; readonly heading: TextPosition | null; readonly selection: TextPosition | null }
)

export class LocalViews {
  readonly #client: number
  readonly #group: WindowGroup<ViewMessage>
  readonly #handlers: LocalViewsHandlers
  /** Yjs client ids of windows in this browser: their views come this way, before presence brings them. */
  readonly clientIds = new Set<number>()

  constructor(platform: WindowGroupPlatform, client: number, handlers: LocalViewsHandlers) {
    this.#client = client
    this.#handlers = handlers
    this.#group = new WindowGroup(platform, {
      greet: (type) => (type === 'hello' ? { type, client } : this.#currentState()),
      onMessage: (message) => this.#receive(message),
      onGone: () => {},
    })
  }

  join(name: string): void {
    this.#group.join(name)
  }

  /** Asks what the others look at, as a newcomer does. */
  sendHello(): void {
    this.#group.post({ type: 'hello', client: this.#client })
  }

  broadcastView(view: WindowView): void {
    if (!this.#group.isAlone) this.#group.post({ type: 'view', client: this.#client, view })
  }

  broadcastSelection(heading: TextPosition | null, selection: TextPosition | null): void {
    if (!this.#group.isAlone) this.#group.post({ type: 'note', client: this.#client, heading, selection })
  }

  broadcastFollow(followed: string | null): void {
    this.#group.post({ type: 'follow', client: this.#client, followed })
  }

  close(): void {
    this.#group.leave({ type: 'bye', client: this.#client })
  }

  #receive(message: GroupMessage<ViewMessage>): void {
    this.#addClient(message.client)
    switch (message.type) {
      case 'here':
        this.#receiveView(message.view, message.client)
        if (message.followed !== null) this.#handlers.onFollow(message.followed)
        return
      case 'follow':
        return this.#handlers.onFollow(message.followed)
      case 'view':
        return this.#receiveView(message.view, message.client)
      case 'note':
        return this.#handlers.onSelection(
          readTextPosition(message.heading) ?? null,
          readTextPosition(message.selection) ?? null,
        )
      case 'hello':
      case 'bye': // only their sender counts
    }
  }

  #addClient(client: number): void {
    if (this.clientIds.has(client)) return
    this.clientIds.add(client)
    this.#handlers.onWindowFound()
  }

  /** A window that is not linked says that it is here, and nothing more. */
  #currentState(): ViewMessage {
    const { linked, followed } = this.#handlers.currentState()
    return {
      type: 'here',
      client: this.#client,
      view: linked ? this.#handlers.currentView() : null,
      followed: linked ? followed : null,
    }
  }

  #receiveView(value: unknown, from: number): void {
    const view = readWindowView(value)
    if (view) this.#handlers.onView(view, from)
  }
}
