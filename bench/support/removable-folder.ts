/** Creates folders outside the run's own, of which a stopped run leaves none behind. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Disposing removes it, and so does the end of this process. */
export interface RemovableFolder extends Disposable {
  readonly path: string
}

export function createRemovableFolder(parent: string): RemovableFolder {
  const path = mkdtempSync(join(parent, 'diptych-bench-'))
  // A program that was just killed may write one more file meanwhile.
  const remove = (): void => rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', remove)
  return {
    path,
    [Symbol.dispose]() {
      process.off('exit', remove)
      remove()
    },
  }
}
