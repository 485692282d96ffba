import * as Y from 'yjs'
import { MAX_TYPE_DEPTH } from '../../lib/protocol/limits.ts'
import { RoomRefusal } from './rooms.ts'

/**
 * Yjs deletes a type within a type by recursion, and tells each change to all the types around it: thousands of levels overflow the
 * stack, and fill the memory with the square of their number. @param item Once its parent is known.
 * @throws {RoomRefusal}
 */
export function checkNesting({ parent, content }: Y.Item): void {
  if (!(content instanceof Y.ContentType)) return
  let depth = 1
  for (let around = parent as Y.AbstractType<unknown> | null; around?._item; depth++) {
    if (depth >= MAX_TYPE_DEPTH) {
      const detail = `nodes within each other: the limit is ${MAX_TYPE_DEPTH} (MAX_TYPE_DEPTH)`
      throw new RoomRefusal({ code: 'bad-update', detail })
    }
    around = around._item.parent as Y.AbstractType<unknown>
  }
}
