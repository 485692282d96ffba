/**
 * Describes pieces of a text by the ids that Yjs gave them, and what of them can still be restored. Knows Yjs's structs; does not know
 * steps.
 */
import * as Y from 'yjs'
import { clockOf, structAt, structsOf } from '../yjs-internals/struct-store.ts'
import { itemOf } from '../yjs-internals/shared-type.ts'

export type DeleteSet = ReturnType<typeof Y.createDeleteSet>

/** The ranges as they are sent. */
export type StructRanges = readonly (readonly [client: number, clock: number, length: number])[]

/** A range that was deleted and restored: it stands under other ids now, and its content is that of the copy. */
export type RedoneRange = readonly [
  client: number,
  clock: number,
  length: number,
  toClient: number,
  toClock: number,
]

export const structRangesOf = ({ clients }: DeleteSet): StructRanges =>
  [...clients].flatMap(([client, ranges]) => ranges.map(({ clock, len }) => [client, clock, len] as const))

export function deleteSetOf(ranges: StructRanges): DeleteSet {
  const set = Y.createDeleteSet()
  for (const [client, clock, len] of ranges) {
    const before = set.clients.get(client) ?? []
    set.clients.set(client, [...before, { clock, len }])
  }
  return Y.mergeDeleteSets([set])
}

/** The ranges of `deletions` that this transaction restored. */
export function redoneRangesIn(transaction: Y.Transaction, deletions: DeleteSet): RedoneRange[] {
  const found: RedoneRange[] = []
  Y.iterateDeletedStructs(transaction, deletions, (item) => {
    if (!(item instanceof Y.Item) || !item.redone || !isNew(item.redone, transaction)) return
    const { client, clock } = item.redone
    found.push([item.id.client, item.id.clock, item.length, client, clock])
  })
  return found
}

const isNew = ({ client, clock }: Y.ID, { beforeState }: Y.Transaction): boolean =>
  clock >= (beforeState.get(client) ?? 0)

/** Each undo walks through all of them. Where earlier ones are missing, replicas still agree on where what is restored stands. */
const MAX_REDONE_RANGES = 10_000

/** Adds ranges in the order in which they were restored, joins those that go on where the last one ends, and drops the earliest. */
export function addRedoneRanges(
  all: RedoneRange[],
  added: readonly RedoneRange[],
  limit = MAX_REDONE_RANGES,
): void {
  for (const range of added) {
    const last = all.at(-1)
    if (last && isContinued(last, range))
      all[all.length - 1] = [last[0], last[1], last[2] + range[2], last[3], last[4]]
    else all.push(range)
  }
  if (all.length > limit) all.splice(0, all.length - limit)
}

const isContinued = (
  [client, clock, length, toClient, toClock]: RedoneRange,
  [nextClient, nextClock, , nextToClient, nextToClock]: RedoneRange,
): boolean =>
  client === nextClient &&
  toClient === nextToClient &&
  clock + length === nextClock &&
  toClock + length === nextToClock

/** The same set, together with the copies that stand for its ranges now. */
export function withRedoneRanges(set: DeleteSet, redone: readonly RedoneRange[]): DeleteSet {
  const more = redone.flatMap(([client, clock, length, toClient, toClock]) =>
    (set.clients.get(client) ?? []).flatMap((range) => {
      const from = Math.max(clock, range.clock)
      const to = Math.min(clock + length, range.clock + range.len)
      return from < to ? [[toClient, toClock + from - clock, to - from] as const] : []
    }),
  )
  return more.length > 0 ? Y.mergeDeleteSets([set, deleteSetOf(more)]) : set
}

/**
 * Points deleted items to their copies: Yjs looks there when it restores something beside or within them. Where either end is missing
 * here, there is nothing to do.
 */
export function linkToRedone(transaction: Y.Transaction, redone: readonly RedoneRange[]): void {
  for (const [client, clock, length, toClient, toClock] of redone) {
    if (clockOf(transaction.doc, toClient) < toClock + length) continue
    Y.iterateDeletedStructs(transaction, deleteSetOf([[client, clock, length]]), (item) => {
      if (item instanceof Y.Item) item.redone = Y.createID(toClient, toClock + item.id.clock - clock)
    })
  }
}

/**
 * Yjs follows a run of letters by its first letter alone. So where a run or its copy was split, this splits the other in the same
 * places: first from the earliest copy on, then from the latest back, since a copy may have a copy. It has to happen in the transaction
 * that restores. After any other the pieces are merged again, and Yjs loses the rest of a run that it has to split once it has gathered
 * what to restore.
 */
export function splitLikeRedone(transaction: Y.Transaction, redone: readonly RedoneRange[]): void {
  for (const [client, clock, length, toClient, toClock] of redone)
    splitLike(transaction, [client, clock, length], [toClient, toClock])
  for (const [client, clock, length, toClient, toClock] of redone.toReversed())
    splitLike(transaction, [toClient, toClock, length], [client, clock])
}

function splitLike(
  transaction: Y.Transaction,
  [client, clock, length]: StructRanges[number],
  [otherClient, otherClock]: readonly [client: number, clock: number],
): void {
  if (clockOf(transaction.doc, otherClient) < otherClock + length) return
  Y.iterateDeletedStructs(transaction, deleteSetOf([[client, clock, length]]), ({ id }) => {
    if (id.clock > clock)
      Y.getItemCleanStart(transaction, Y.createID(otherClient, otherClock + id.clock - clock))
  })
}

/**
 * Yjs puts what it restores beside the copies of its neighbours. That leads astray, since a copy stands left of its original. In a
 * deleted text the copy is a neighbour by itself, and what stood between the two would change sides. In a living text, what is put
 * between the copy and a former one has no certain place. So while Yjs restores, a piece points to the last of its copies in another
 * text, and to none within its own deleted text.
 * @param redone Split by `splitLikeRedone`.
 * @param except What is to be restored itself: its copy keeps it from being restored twice.
 * @returns What the pieces pointed to before, for `linkToRedone`.
 */
export function bypassCopies(
  transaction: Y.Transaction,
  redone: readonly RedoneRange[],
  except: DeleteSet,
): readonly RedoneRange[] {
  const found: [item: Y.Item, to: Y.ID | null][] = []
  const lastCopyOf = new Map<Y.Item, Y.Item>()
  for (const [client, clock, length] of redone.toReversed())
    Y.iterateDeletedStructs(transaction, deleteSetOf([[client, clock, length]]), (item) => {
      if (!(item instanceof Y.Item) || !isPiece(item) || !item.redone) return
      const copy = structAt(transaction.doc, item.redone)
      if (!(copy instanceof Y.Item)) return
      const lastCopy = lastCopyOf.get(copy) ?? copy
      const isWithin = copy.parent === item.parent
      if (isWithin) lastCopyOf.set(item, lastCopy)
      const isAlone = isWithin && parentOf(item)?.deleted && !Y.isDeleted(except, item.id)
      found.push([item, isAlone ? null : lastCopy.id])
    })
  const before = found.map(
    ([{ id, length, redone: to }]) => [id.client, id.clock, length, to!.client, to!.clock] as const,
  )
  for (const [item, to] of found) item.redone = to
  return before
}

/** A piece has a place among others. A paragraph is none, since its letters belong to its copy. */
const isPiece = ({ parentSub, content }: Y.Item): boolean =>
  parentSub === null && !(content instanceof Y.ContentType)

/** Keeps Yjs from throwing the content away. */
export function keepContent(transaction: Y.Transaction, set: DeleteSet): void {
  Y.iterateDeletedStructs(transaction, set, (struct) => {
    for (let item = struct instanceof Y.Item ? struct : null; item && !item.keep; item = parentOf(item))
      item.keep = true
  })
}

const parentOf = ({ parent }: Y.Item): Y.Item | null =>
  parent instanceof Y.AbstractType ? itemOf(parent) : null

/** Whether all deleted content of `set` can still be restored, apart from what was made in `except`. */
export function isContentKept(doc: Y.Doc, set: DeleteSet, except: DeleteSet): boolean {
  let isComplete = [...set.clients.keys()].every((client) => structsOf(doc, client) !== undefined)
  doc.transact((transaction) =>
    Y.iterateDeletedStructs(transaction, set, (struct) => {
      const hasContent = struct instanceof Y.Item && !(struct.content instanceof Y.ContentDeleted)
      if (!hasContent && !Y.isDeleted(except, struct.id)) isComplete = false
    }),
  )
  return isComplete
}

/** The letters in the ranges, shown or deleted. */
export function textInRanges(doc: Y.Doc, set: DeleteSet, isIncluded: (item: Y.Item) => boolean): string {
  let text = ''
  doc.transact((transaction) =>
    Y.iterateDeletedStructs(transaction, set, (item) => {
      if (item instanceof Y.Item && item.content instanceof Y.ContentString && isIncluded(item))
        text += item.content.str
    }),
  )
  return text
}

/** The letters of `deletions` that are gone, apart from what was made in `insertions`. */
export function unrestoredTextsOf(
  doc: Y.Doc,
  { deletions, insertions }: { readonly deletions: DeleteSet; readonly insertions: DeleteSet },
): string[] {
  const texts: string[] = []
  doc.transact((transaction) =>
    Y.iterateDeletedStructs(transaction, deletions, (item) => {
      if (!(item instanceof Y.Item) || !item.deleted || item.redone) return
      const isOwn = Y.isDeleted(insertions, item.id)
      if (item.content instanceof Y.ContentString && !isOwn) texts.push(item.content.str)
    }),
  )
  return texts
}
