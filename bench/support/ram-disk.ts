/** Memory that looks like a disk: what is synced there takes no time, so that the difference is what the disk takes. */
import { existsSync } from 'node:fs'

export const RAM_DISK = '/dev/shm'

export const hasRamDisk = existsSync(RAM_DISK)
