/** Folders outside the run’s own: a run that is stopped leaves none behind. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Gone with `remove`, or with this process. */
export interface RemovableFolder {
  readonly folder: string
  remove(): void
}

export function folderIn(parent: string): RemovableFolder {
  const folder = mkdtempSync(join(parent, 'diptych-bench-'))
  // A program that has just been killed may write a file still.
  const clear = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', clear)
  return {
    folder,
    remove() {
      process.off('exit', clear)
      clear()
    },
  }
}
