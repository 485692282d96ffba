/** The RAM disk, where a sync takes no time: the difference to another data folder is the disk's. */
import { existsSync } from 'node:fs'

export const RAM_DISK = '/dev/shm'

export const hasRamDisk = existsSync(RAM_DISK)
