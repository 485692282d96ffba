/** Finds what a proposal changes that is neither words nor blocks: no review shows it, so nobody accepts it with the rest. */
import * as Y from 'yjs'
import { firstItemOf, valuesByKeyOf } from '../yjs-internals/shared-type.ts'
import { clockOf } from '../yjs-internals/struct-store.ts'

const shownRoots = new Set(['title', 'default'])

/** What of the base is left in the proposal is the base's; so there is a change where anything is new, or less is left. */
export function hasUnshownChanges(base: Y.Doc, proposal: Y.Doc): boolean {
  const isNew = ({ id, length }: Y.Item) => id.clock + length > clockOf(base, id.client)
  let left = 0
  for (const item of unshownItemsIn(proposal)) {
    if (isNew(item)) return true
    left += item.length
  }
  for (const { length } of unshownItemsIn(base)) left -= length
  return left !== 0
}

type SharedType = Parameters<typeof firstItemOf>[0] & Parameters<typeof valuesByKeyOf>[0]

/** What is there, and that a review leaves out. */
function* unshownItemsIn({ share }: Y.Doc): Generator<Y.Item> {
  for (const [name, root] of share)
    yield* unshownWithin(root, shownRoots.has(name), name === 'title' || root instanceof Y.Text)
}

function* unshownWithin(type: SharedType, isShown: boolean, isText: boolean): Generator<Y.Item> {
  /** Marks that no letter has. */
  let idle: Y.Item[] = []
  for (let item = firstItemOf(type); item; item = item.right) {
    if (item.deleted) continue
    const within = item.content instanceof Y.ContentType ? item.content.type : null
    if (isShown && (within instanceof Y.XmlElement || within instanceof Y.XmlText))
      yield* unshownWithin(within, true, within instanceof Y.Text)
    else if (!isShown || !isText || within) yield* withAllIn(item)
    else if (item.countable) idle = []
    else if (item.content instanceof Y.ContentFormat && item.content.value !== null) idle.push(item)
  }
  yield* idle
  for (const item of valuesByKeyOf(type).values())
    if (!item.deleted && !(isShown && type instanceof Y.XmlElement && isReadable(item.content)))
      yield* withAllIn(item)
}

function* withAllIn(item: Y.Item): Generator<Y.Item> {
  yield item
  const { content } = item
  if (content instanceof Y.ContentType) yield* unshownWithin(content.type, false, false)
}

/** As the attribute of a block: `readableAttributesOf` leaves the others out. */
const isReadable = (content: Y.Item['content']): boolean =>
  !(content instanceof Y.ContentType) && typeof content.getContent()[0] !== 'bigint'
