/**
 * The installation's secret signs every session cookie, and share links' tokens are derived from it, so it outlives restarts and
 * never leaves the data folder.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Makes the file on the first start: 32 random bytes that only the owner can read. */
export async function readInstallationSecret(
  dataDir: string,
  file = join(dataDir, 'secret'),
): Promise<Buffer> {
  await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' }).catch(
    ignoreExisting,
  )
  const secret = Buffer.from((await readFile(file, 'utf8')).trim(), 'base64url')
  if (secret.length < 32) {
    throw new Error(
      `${file} holds ${secret.length} bytes of base64url; at least 32 are needed. Delete it to make a new one.`,
    )
  }
  return secret
}

/** Derives one key for each purpose, so that a value signed for one purpose is invalid for another. */
export const deriveKey = (secret: Buffer, purpose: string): string =>
  createHmac('sha256', secret).update(purpose).digest('base64url')

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
