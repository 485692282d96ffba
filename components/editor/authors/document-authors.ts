/**
 * Finds who wrote under the Yjs client ids of a document. The server knows it of all that is saved, and presence of what is not saved yet. Knows ids and people; does not know the text.
 */
import { api, type ClientAuthorEntry, type NamedPerson } from '@/components/http-api.ts'
import { readPresenceUser } from '@/components/profile/read-presence-user.ts'
import type { OpenDocument } from '@/lib/client.ts'
import { Subscribable } from '@/lib/subscribable.ts'

export interface LetterAuthor {
  readonly person: NamedPerson
  /** When the client id was used first; null where nobody knows. */
  readonly since: string | null
}

type Ask = (clients: readonly number[]) => Promise<readonly ClientAuthorEntry[]>

/** The server answers so many at once. */
const MAX_ASKED = 200
/** In ms: when the server is asked again about ids that it did not know, and after a failure. */
const ASK_AGAIN_MS = 5_000

const cachedAuthors = new WeakMap<OpenDocument, DocumentAuthors>()

/** The same object for the same document of this window. */
export function documentAuthorsOf(document: string, opened: OpenDocument): DocumentAuthors {
  const cached = cachedAuthors.get(opened)
  if (cached) return cached
  const authors = new DocumentAuthors((clients) => api.listClientAuthors(document, clients), opened.awareness)
  cachedAuthors.set(opened, authors)
  return authors
}

export class DocumentAuthors {
  readonly #ask: Ask
  readonly #awareness: Pick<OpenDocument['awareness'], 'getStates'>
  readonly #known = new Map<number, LetterAuthor>()
  /** When each id that has no answer was asked for. */
  readonly #askedAt = new Map<number, number>()
  readonly #wanted = new Set<number>()
  readonly #listeners = new Subscribable()
  #isAsking = false
  #hasFailed = false
  #version = 0

  constructor(ask: Ask, awareness: Pick<OpenDocument['awareness'], 'getStates'>) {
    this.#ask = ask
    this.#awareness = awareness
  }

  /** Notifies the listener of answers and failures. Returns a function that unsubscribes. */
  readonly subscribe = this.#listeners.subscribe

  /** Another number after each answer and failure. */
  readonly version = (): number => this.#version

  get isAsking(): boolean {
    return this.#isAsking
  }

  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** Undefined while nobody has said it. */
  authorOf(client: number): LetterAuthor | undefined {
    const known = this.#known.get(client)
    if (known) return known
    const state = this.#awareness.getStates().get(client)
    if (!state) return undefined
    const { personId: id, name } = readPresenceUser(state, client)
    return { person: { id, name }, since: null }
  }

  /** Asks the server about those that it has not named. */
  want(clients: Iterable<number>): void {
    const now = Date.now()
    for (const client of clients)
      if (!this.#known.has(client) && now - (this.#askedAt.get(client) ?? 0) >= ASK_AGAIN_MS)
        this.#wanted.add(client)
    if (!this.#isAsking && this.#wanted.size > 0) void this.#askForWanted()
  }

  async #askForWanted(): Promise<void> {
    this.#isAsking = true
    this.#hasFailed = false
    while (this.#wanted.size > 0 && !this.#hasFailed) {
      const clients = [...this.#wanted].slice(0, MAX_ASKED)
      const askedAt = Date.now()
      for (const client of clients) {
        this.#wanted.delete(client)
        this.#askedAt.set(client, askedAt)
      }
      try {
        for (const { client, author, since } of await this.#ask(clients)) {
          this.#known.set(client, { person: author, since })
          this.#askedAt.delete(client)
        }
      } catch {
        this.#hasFailed = true
        this.#wanted.clear()
      }
      this.#isAsking = this.#wanted.size > 0
      this.#version += 1
      this.#listeners.notify()
    }
    this.#isAsking = false
  }
}
