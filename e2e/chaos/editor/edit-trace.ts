/** What one local Yjs transaction did, by ids: which types and letters it added and deleted. */
import * as Y from 'yjs'
import { lettersIn } from './letters.ts'

export interface EditTrace {
  readonly letters: readonly LetterCopy[]
  readonly addedTypes: readonly string[]
  readonly deletedTypes: readonly string[]
  /** Those that were written anew at once, too. */
  readonly deletedLetters: ReadonlySet<string>
  /** What the writer had before. */
  readonly stateBefore: ReadonlyMap<number, number>
}

/** A letter as it was written once: who moves it writes it anew. */
export interface LetterCopy {
  readonly letter: string
  readonly client: number
  readonly clock: number
  /** The types that it stands in, the innermost first. */
  readonly within: readonly string[]
}

export function traceEdit(transaction: Y.Transaction): EditTrace {
  const letters: LetterCopy[] = []
  const addedTypes: string[] = []
  for (const item of itemsAdded(transaction)) {
    if (item.deleted) continue
    if (item.content instanceof Y.ContentType) addedTypes.push(keyOf(item))
    if (item.content instanceof Y.ContentString)
      for (const letter of lettersIn(item.content.str))
        letters.push({ letter, client: item.id.client, clock: item.id.clock, within: typesAround(item) })
  }
  return { letters, addedTypes, ...findDeletions(transaction), stateBefore: transaction.beforeState }
}

function itemsAdded({ beforeState, afterState, doc }: Y.Transaction): Y.Item[] {
  return [...afterState].flatMap(([client, after]) => {
    const before = beforeState.get(client) ?? 0
    if (after === before) return []
    const structs = doc.store.clients.get(client) ?? []
    return structs.filter((struct): struct is Y.Item => struct instanceof Y.Item && struct.id.clock >= before)
  })
}

function findDeletions(transaction: Y.Transaction): Pick<EditTrace, 'deletedTypes' | 'deletedLetters'> {
  const { beforeState } = transaction
  const deletedTypes: string[] = []
  const deletedLetters = new Set<string>()
  Y.iterateDeletedStructs(transaction, transaction.deleteSet, (item) => {
    const isOld = item.id.clock < (beforeState.get(item.id.client) ?? 0)
    if (!isOld || !(item instanceof Y.Item)) return
    if (item.content instanceof Y.ContentType) deletedTypes.push(keyOf(item))
    if (item.content instanceof Y.ContentString)
      for (const letter of lettersIn(item.content.str)) deletedLetters.add(letter)
  })
  return { deletedTypes, deletedLetters }
}

function typesAround(item: Y.Item): string[] {
  const around: string[] = []
  for (
    let type = item.parent as Y.AbstractType<unknown> | null;
    type?._item;
    type = type._item.parent as typeof type
  )
    around.push(keyOf(type._item))
  return around
}

const keyOf = ({ id }: Y.Item): string => `${id.client}:${id.clock}`
