/** The files beside the database without which people are strangers after a restore: the secret that signs cookies, and the certificate. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const TLS_FOLDER = 'tls'
const SECRET = 'secret'

/** Returns the paths of those that are there, within the folder. */
export async function listDataFolderFiles(folder: string): Promise<string[]> {
  const certificates = await readdir(join(folder, TLS_FOLDER)).catch((): string[] => [])
  const files = [SECRET, ...certificates.toSorted().map((name) => `${TLS_FOLDER}/${name}`)]
  return files.filter((file) => existsSync(join(folder, file)))
}

export const readDataFolderFile = (folder: string, file: string): Promise<Buffer> =>
  readFile(join(folder, file))

/** @throws {Error} for a name that no file of the folder has. */
export async function writeDataFolderFile(folder: string, file: string, bytes: Uint8Array): Promise<void> {
  if (!/^(secret|tls\/[\w-]+(\.[\w-]+)*)$/.test(file))
    throw new Error(`A file named ${file} is not restored.`)
  const path = join(folder, file)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, bytes, {
    mode: file.endsWith('-key.pem') || file === SECRET ? 0o600 : 0o644,
    flush: true,
  })
}
