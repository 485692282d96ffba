/** Finds what a proposal changes beside its title and its body: no review shows it, so nobody accepts it with the rest. */
import * as Y from 'yjs'
import { firstItemOf, valuesByKeyOf } from '../yjs-internals/shared-type.ts'

const shownRoots = new Set(['title', 'default'])

export function hasUnshownChanges(base: Y.Doc, proposal: Y.Doc): boolean {
  const names = new Set([...base.share.keys(), ...proposal.share.keys()])
  return [...names].some((name) => {
    const [before, after] = [base, proposal].map((doc) => idsIn(doc.share.get(name), shownRoots.has(name)))
    return before!.size !== after!.size || [...before!].some((id) => !after!.has(id))
  })
}

type SharedType = Parameters<typeof firstItemOf>[0] & Parameters<typeof valuesByKeyOf>[0]

/** The ids of what is not deleted. @param isShown Then only values by key, of which a review shows none. */
function idsIn(root: SharedType | undefined, isShown: boolean): Set<string> {
  const ids = new Set<string>()
  const addItem = ({ id, length, content, deleted }: Y.Item): void => {
    if (deleted) return
    for (let at = 0; at < length; at += 1) ids.add(`${id.client}-${id.clock + at}`)
    if (content instanceof Y.ContentType) addList(content.type)
  }
  const addList = (type: SharedType): void => {
    for (let item = firstItemOf(type); item; item = item.right) addItem(item)
    addValues(type)
  }
  const addValues = (type: SharedType): void => {
    for (const item of valuesByKeyOf(type).values()) addItem(item)
  }
  if (root) (isShown ? addValues : addList)(root)
  return ids
}
