/**
 * The person's other windows on this document, in this browser: what they look at, as fast as a broadcast channel carries it.
 *
 *   newcomer: hello ──▶ everybody: here, with what they look at          then: view, note … bye
 */
import type { ChannelLike } from '../broadcast.ts'
import { randomId } from '../protocol/ids.ts'
import { readSpot, type Spot } from './spot.ts'
import { readView, type View } from './view.ts'

interface OwnWindowsHandlers {
  /** @param by A Yjs client, as by presence. */
  onView(view: View, by: number): void
  /** Which section, and what is selected, where nothing moved. */
  onNote(heading: Spot | null, selection: Spot | null): void
  /** They go after that person from now on; null: no longer. */
  onFollow(person: string | null): void
  current(): View | null
  state(): { readonly linked: boolean; readonly followed: string | null }
  /** There is another window here. */
  onMet(): void
}

type What =
  | { readonly type: 'hello' | 'bye' }
  | {
      readonly type: 'here'
      readonly to: string
      readonly view: View | null
      readonly followed: string | null
    }
  | { readonly type: 'view'; readonly view: View }
  | { readonly type: 'follow'; readonly followed: string | null }
  | { readonly type: 'note'; readonly heading: Spot | null; readonly selection: Spot | null }

type Said = What & { readonly from: string; readonly client: number }

export class OwnWindows {
  readonly #channel: ChannelLike | null
  readonly #client: number
  readonly #id = randomId()
  readonly #handlers: OwnWindowsHandlers
  readonly #others = new Set<string>()
  /** Yjs client ids of windows here: what presence says of them was heard already. */
  readonly clients = new Set<number>()

  constructor(channel: ChannelLike | null, client: number, handlers: OwnWindowsHandlers) {
    this.#channel = channel
    this.#client = client
    this.#handlers = handlers
    channel?.addEventListener('message', ({ data }) => this.#hear(data as Said))
  }

  greet(): void {
    this.#post({ type: 'hello' })
  }

  tell(view: View): void {
    if (this.#others.size > 0) this.#post({ type: 'view', view })
  }

  note(heading: Spot | null, selection: Spot | null): void {
    if (this.#others.size > 0) this.#post({ type: 'note', heading, selection })
  }

  follow(followed: string | null): void {
    this.#post({ type: 'follow', followed })
  }

  close(): void {
    this.#post({ type: 'bye' })
    this.#channel?.close()
  }

  #post(what: What): void {
    const said: Said = { ...what, from: this.#id, client: this.#client }
    this.#channel?.postMessage(said)
  }

  #hear(said: Said): void {
    if (said.type === 'bye') return void this.#others.delete(said.from)
    this.#meet(said)
    switch (said.type) {
      case 'hello':
        return this.#answer(said.from)
      case 'here':
        return said.to === this.#id ? this.#onHere(said.view, said.client, said.followed) : undefined
      case 'follow':
        return this.#handlers.onFollow(said.followed)
      case 'view':
        return this.#take(said.view, said.client)
      case 'note':
        return this.#handlers.onNote(readSpot(said.heading) ?? null, readSpot(said.selection) ?? null)
    }
  }

  #meet({ from, client }: Said): void {
    if (this.#others.has(from)) return
    this.#others.add(from)
    this.clients.add(client)
    this.#handlers.onMet()
  }

  /** A window that does not lead says that it is here, and nothing more. */
  #answer(to: string): void {
    const { linked, followed } = this.#handlers.state()
    this.#post({
      type: 'here',
      to,
      view: linked ? this.#handlers.current() : null,
      followed: linked ? followed : null,
    })
  }

  #onHere(view: unknown, from: number, followed: string | null): void {
    this.#take(view, from)
    if (followed !== null) this.#handlers.onFollow(followed)
  }

  #take(said: unknown, from: number): void {
    const view = readView(said)
    if (view) this.#handlers.onView(view, from)
  }
}
