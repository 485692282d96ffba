/**
 * Reads what y-websocket keeps with y-leveldb (0.1 and 0.2): a LevelDB whose keys are lists, `["v1", name, "update", clock]`. Each
 * string of a key begins with 0 and its length, each number with 1. It knows the keys; it does not know Yjs.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createDecoder, hasContent, readUint8, readVarString, readUint32BigEndian } from 'lib0/decoding'
import type * as Level from 'classic-level'
import type { ForeignDocument } from './foreign-document.ts'

/** Keys of this and later versions begin with another string. */
const FIRST_KEY = Uint8Array.of(0, 2, 0x76, 0x31)
const END_KEY = Uint8Array.of(0, 2, 0x76, 0x32)

/** @throws {Error} one sentence when it is no LevelDB, or another program has it open. */
export async function* readYLeveldbDocuments(folder: string): AsyncGenerator<ForeignDocument> {
  if (!existsSync(join(folder, 'CURRENT'))) throw new Error(`${folder} is no folder of a LevelDB.`)
  const { ClassicLevel } = await loadLevel()
  const options = { keyEncoding: 'view', valueEncoding: 'view', createIfMissing: false }
  const db = new ClassicLevel<Uint8Array, Uint8Array>(folder, options)
  try {
    await db.open()
  } catch (error) {
    const { cause = error } = error as Error
    throw new Error(`${folder} cannot be opened: ${(cause as Error).message}.`, { cause: error })
  }
  try {
    let [name, updates]: [string | null, Uint8Array[]] = [null, []]
    for await (const [key, value] of db.iterator({ gte: FIRST_KEY, lt: END_KEY })) {
      const [, document, kind] = readKey(key)
      if (typeof document !== 'string' || kind !== 'update') continue
      if (document !== name) {
        if (name !== null) yield { name, updates }
        ;[name, updates] = [document, []]
      }
      updates.push(value.slice())
    }
    if (name !== null) yield { name, updates }
  } finally {
    await db.close()
  }
}

/** Is loaded for this command alone: six megabytes for a dozen systems, which a server never needs. */
async function loadLevel(): Promise<typeof Level> {
  try {
    return await import('classic-level')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error('To read a LevelDB, run `npm install --no-save classic-level@3.0.0` first.', {
      cause: error,
    })
  }
}

function readKey(key: Uint8Array): (string | number)[] {
  const decoder = createDecoder(key)
  const parts: (string | number)[] = []
  while (hasContent(decoder))
    parts.push(readUint8(decoder) === 0 ? readVarString(decoder) : readUint32BigEndian(decoder))
  return parts
}
