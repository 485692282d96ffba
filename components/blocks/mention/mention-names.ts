/**
 * The present names of what a text mentions, as far as this person may know them: of people who are here or wrote here, and of documents
 * that they may open. Where none is known, the name that was stored stays.
 */
import { QueryObserver } from '@tanstack/react-query'
import type { Awareness } from 'y-protocols/awareness'
import { personAppearancesOf, type PersonAppearances } from '@/components/profile/person-appearances.ts'
import { writersQuery } from '@/components/profile/writers-query.ts'
import type { DocumentWriterEntry } from '@/components/http-api.ts'
import { queryClient } from '@/components/query-client.ts'
import type { Mention } from '@/lib/blocks/mention/mention.ts'
import { Subscribable } from '@/lib/subscribable.ts'
import { documentTitles } from './document-titles.ts'

/** The document that a mention stands in. */
export interface MentionContext {
  readonly document: string
  readonly awareness: Awareness
}

const cachedNames = new WeakMap<Awareness, MentionNames>()

export function mentionNamesOf({ document, awareness }: MentionContext): MentionNames {
  const cached = cachedNames.get(awareness)
  if (cached) return cached
  const names = new MentionNames(document, personAppearancesOf(awareness))
  cachedNames.set(awareness, names)
  return names
}

export class MentionNames {
  readonly #present: PersonAppearances
  readonly #writers: QueryObserver<DocumentWriterEntry[]>
  readonly #listeners = new Subscribable(
    () => this.#start(),
    () => this.#stop(),
  )
  #undo: readonly (() => void)[] = []

  constructor(document: string, present: PersonAppearances) {
    this.#present = present
    this.#writers = new QueryObserver(queryClient, writersQuery(document))
  }

  readonly subscribe = this.#listeners.subscribe

  readonly nameOf = ({ kind, id, label }: Mention): string => {
    if (id === null) return label
    if (kind === 'document') return documentTitles.titleOf(id) ?? label
    const writer = this.#writers.getCurrentResult().data?.find((each) => each.id === id)
    return this.#present.get().get(id)?.name ?? writer?.name ?? label
  }

  #start(): void {
    const notify = () => this.#listeners.notify()
    this.#undo = [
      this.#present.subscribe(notify),
      this.#writers.subscribe(notify),
      documentTitles.subscribe(notify),
    ]
  }

  #stop(): void {
    for (const undo of this.#undo) undo()
  }
}
