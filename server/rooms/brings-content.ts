import * as Y from 'yjs'
import type { Struct } from './read-update.ts'

/** False for an edit that only deletes, which may also say that text of its own was deleted meanwhile. */
export const bringsContent = (structs: readonly Struct[]): boolean =>
  structs.some((struct) => struct instanceof Y.Item && !(struct.content instanceof Y.ContentDeleted))
