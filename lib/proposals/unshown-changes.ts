/** Finds what a proposal changes that is neither words nor blocks: no review shows it, so nobody accepts it with the rest. */
import * as Y from 'yjs'
import { firstItemOf, valuesByKeyOf } from '../yjs-internals/shared-type.ts'

const shownRoots = new Set(['title', 'default'])

export function hasUnshownChanges(base: Y.Doc, proposal: Y.Doc): boolean {
  const names = new Set([...base.share.keys(), ...proposal.share.keys()])
  return [...names].some((name) => {
    const [before, after] = [base, proposal].map((doc) => unshownIdsIn(doc.share.get(name), name))
    return before!.size !== after!.size || [...before!].some((id) => !after!.has(id))
  })
}

type SharedType = Parameters<typeof firstItemOf>[0] & Parameters<typeof valuesByKeyOf>[0]

/** The ids of what is there, and that a review leaves out. */
function unshownIdsIn(root: SharedType | undefined, name: string): Set<string> {
  const ids = new Set<string>()
  const addItem = ({ id, length, content }: Y.Item): void => {
    for (let at = 0; at < length; at += 1) ids.add(`${id.client}-${id.clock + at}`)
    if (content instanceof Y.ContentType) addType(content.type, false)
  }
  const addType = (type: SharedType, isShown: boolean): void => {
    const isText = type instanceof Y.Text || name === 'title'
    for (let item = firstItemOf(type); item; item = item.right) {
      if (item.deleted) continue
      const within = item.content instanceof Y.ContentType ? item.content.type : null
      if (isShown && (within instanceof Y.XmlElement || within instanceof Y.XmlText)) addType(within, true)
      else if (!isShown || !isText || within) addItem(item)
    }
    for (const item of valuesByKeyOf(type).values())
      if (!item.deleted && !(isShown && type instanceof Y.XmlElement && isReadable(item.content)))
        addItem(item)
  }
  if (root) addType(root, shownRoots.has(name))
  return ids
}

/** As the attribute of a block: `readableAttributesOf` leaves the others out. */
const isReadable = (content: Y.Item['content']): boolean =>
  !(content instanceof Y.ContentType) && typeof content.getContent()[0] !== 'bigint'
