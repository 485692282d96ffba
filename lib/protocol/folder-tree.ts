/** A person's folders as a tree. It ends at a parent that is missing, so that each folder is reached, whatever is stored. */

/** Of one person. */
export const MAX_FOLDERS = 1_000
/** A folder in no other has the depth 1. */
export const MAX_FOLDER_DEPTH = 10
/** In UTF-16 units. */
export const MAX_FOLDER_NAME = 100

export interface Folder {
  readonly id: string
  /** Null for one that is in no other. */
  readonly parent: string | null
  readonly name: string
}

export type FoldersById<F extends Folder = Folder> = ReadonlyMap<string, F>

/** Returns the folders from the outermost to this one; none for an unknown id. */
export function folderPath<F extends Folder>(folders: FoldersById<F>, id: string | null): readonly F[] {
  const path = new Set<F>()
  for (let at = id; at !== null;) {
    const folder = folders.get(at)
    if (!folder || path.has(folder)) break
    path.add(folder)
    at = folder.parent
  }
  return [...path].toReversed()
}

/** Whether a folder is another one, or is anywhere in it. */
export const isFolderWithin = (folders: FoldersById, id: string | null, outer: string): boolean =>
  folderPath(folders, id).some((folder) => folder.id === outer)

/** Returns how many levels a folder and what is in it take. */
export function folderHeight(folders: FoldersById, id: string): number {
  const depth = folderPath(folders, id).length
  const depths = [...folders.keys()].map((each) => {
    const path = folderPath(folders, each)
    return path[depth - 1]?.id === id ? path.length : depth
  })
  return Math.max(...depths) - depth + 1
}
