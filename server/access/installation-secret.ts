/**
 * The installation's secret signs every session cookie, and share links' tokens are derived from it, so it outlives restarts and
 * never leaves the data folder.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SettingError } from '../config.ts'

/**
 * Makes the file on the first start: 32 random bytes that only the owner can read.
 * @param file The setting SECRET_FILE; without it the file is in the data folder.
 * @throws {SettingError} when it cannot be made or read, or is too short.
 */
export async function readInstallationSecret(dataDir: string, file: string | null = null): Promise<Buffer> {
  const path = file ?? join(dataDir, 'secret')
  const text = await createOrRead(path).catch((error: NodeJS.ErrnoException) => {
    const code = error.code ?? error.message
    const problem = `cannot be made or read (${code}): allowed is a file that this user can read.`
    throw secretError(dataDir, file, problem, error)
  })
  const secret = Buffer.from(text.trim(), 'base64url')
  if (secret.length < 32)
    throw secretError(
      dataDir,
      file,
      `holds ${secret.length} bytes of base64url; at least 32 are needed. Delete it to make a new one.`,
    )
  return secret
}

/** Names the setting that says where the secret is. @param problem Continues "the secret …". */
export const secretError = (
  dataDir: string,
  file: string | null,
  problem: string,
  cause?: unknown,
): SettingError =>
  file === null
    ? new SettingError('DATA_DIR', dataDir, `whose file "secret" ${problem}`, cause)
    : new SettingError('SECRET_FILE', file, `which ${problem}`, cause)

async function createOrRead(file: string): Promise<string> {
  const secret = `${randomBytes(32).toString('base64url')}\n`
  await writeFile(file, secret, { mode: 0o600, flag: 'wx' }).catch(ignoreExisting)
  return readFile(file, 'utf8')
}

/** Derives one key for each purpose, so that a value signed for one purpose is invalid for another. */
export const deriveKey = (secret: Buffer, purpose: string): string =>
  createHmac('sha256', secret).update(purpose).digest('base64url')

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
