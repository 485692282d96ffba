/** The names of the Web Locks around local copies. */
import type { PartKey } from './local-records.ts'

/** The id of the lock that stands for a row's window name: one opening writes under several names when it takes rows over. */
export const lockIdOf = (rowWindow: string): string => rowWindow.split('.')[0]!

export const copyWriterLock = ({ document, part }: PartKey): string => `keeper:${document}:${part}`
