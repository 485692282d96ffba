/** Memory that looks like a disk: what is synced there takes no time, so that the difference is what the disk takes. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const RAM_DISK = '/dev/shm'

export const hasRamDisk = existsSync(RAM_DISK)

/** Gone with `remove`, or with this process: a run that is stopped leaves no memory behind. */
export function folderInRam(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(RAM_DISK, 'diptych-bench-'))
  const clear = (): void => rmSync(folder, { recursive: true, force: true })
  process.once('exit', clear)
  return {
    folder,
    remove() {
      process.off('exit', clear)
      clear()
    },
  }
}
