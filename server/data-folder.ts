/** Prepares the folder of everything that is stored: it must be writable, and this server's alone, before anything else starts. */
import { mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SettingError } from './config.ts'
import { settings } from './settings.ts'

/** This is more than a file system's last reserved block, so that a full disk shows now and not at the first edit. */
const PROBE_BYTES = 64 * 1024

const causesByCode: Record<string, string> = {
  ENOSPC: 'which is on a full disk',
  EDQUOT: 'which is over its quota',
  EROFS: 'which is on a read-only file system',
  EACCES: 'which this user may not write',
  EPERM: 'which this user may not write',
  ENOTDIR: 'which lies below something that is not a folder',
  EEXIST: 'which is not a folder',
}

/** The message continues "FOLDER is "…", ". */
export class UnusableFolder extends Error {
  override readonly name = 'UnusableFolder'
}

/** @throws {SettingError} */
export const prepareDataFolder = (folder: string): Promise<void> => prepareFolder(folder, settings.dataDir)

/** @throws {SettingError} */
export const prepareFilesFolder = (folder: string): Promise<void> => prepareFolder(folder, settings.filesDir)

async function prepareFolder(
  folder: string,
  { name, allowed }: { readonly name: string; readonly allowed: string },
): Promise<void> {
  try {
    await makeWritableFolder(folder, 0o700)
  } catch (error) {
    throw new SettingError(name, folder, `${(error as Error).message}: allowed is ${allowed}.`, error)
  }
}

/**
 * Creates the folder where it is missing, and writes into it.
 * @throws {UnusableFolder}
 */
export async function makeWritableFolder(folder: string, mode: number): Promise<void> {
  try {
    await createFolder(folder, mode)
    await probeWriting(join(folder, `.probe-${process.pid}`))
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new UnusableFolder(causesByCode[code] ?? `which cannot be written (${message})`, { cause: error })
  }
}

/** SQLITE_BUSY */
const SQLITE_BUSY = 5

/** Keeps a reference to each locked connection: garbage collection would close it and release its lock while the server runs on. */
const heldLocks = new Set<DatabaseSync>()

/**
 * Locks the folder by SQLite's lock on a file of its own: the system releases it when the process dies, however it dies. Two
 * servers on one folder would each hold a document in memory that the other does not know. Returns the function that unlocks; until
 * it is called the lock is held, whether or not the caller keeps that function.
 * @param advice What to do about the other server.
 * @throws {SettingError} while another server has it.
 */
export function lockDataFolder(
  folder: string,
  advice = 'stop that one, or give this one a folder of its own.',
): () => void {
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new SettingError('DATA_DIR', folder, `which a server uses already: ${advice}`, error)
  }
  heldLocks.add(lock)
  return () => {
    if (heldLocks.delete(lock)) lock.close()
  }
}

/** Creates parents one by one: Node's `recursive` never returns where a file system answers ENOENT to everything, as /proc does. */
async function createFolder(folder: string, mode: number): Promise<void> {
  const create = () => mkdir(folder, { mode })
  const code = await create().then(
    () => '',
    (error: NodeJS.ErrnoException) => error.code,
  )
  if (code === 'ENOENT' && dirname(folder) !== folder) {
    await createFolder(dirname(folder), mode)
    await create()
  } else if (code !== '' && !(await stat(folder)).isDirectory()) {
    throw Object.assign(new Error('It is not a folder.'), { code })
  }
}

async function probeWriting(file: string): Promise<void> {
  try {
    await using handle = await open(file, 'w', 0o600)
    await handle.writeFile(Buffer.alloc(PROBE_BYTES))
    await handle.sync()
  } finally {
    await rm(file, { force: true })
  }
}
