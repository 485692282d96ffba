/** What Diptych is measured beside is a package of its own, installed when it is needed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectFolder } from '../../server/page-build.ts'

const folder = join(projectFolder, 'bench')

/** Of package-lock.json, or of what npm notes about node_modules. */
interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly optional?: boolean }>>
}

export async function arePeersInstalled(): Promise<boolean> {
  const installed = await lockAt('node_modules/.package-lock.json')
  const wanted = await lockAt('package-lock.json')
  return wanted !== undefined && installed !== undefined && differing(wanted, installed).length === 0
}

/** @throws {Error} when npm could not. */
export async function installPeers(): Promise<void> {
  if (await arePeersInstalled()) return
  const installed = await lockAt('node_modules/.package-lock.json')
  console.log(
    `The other servers are ${installed ? 'not those of bench/package-lock.json' : 'not here yet'}: npm ci --prefix bench`,
  )
  const npm = spawn('npm', ['ci', '--no-progress'], { cwd: folder, stdio: 'inherit' })
  const [code] = (await once(npm, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`npm ci --prefix bench ended with ${code}.`)
}

/** Where they lie. What is optional may be for another platform, and not be there. */
export const differing = (wanted: Lock, installed: Lock): string[] =>
  Object.entries(wanted.packages).flatMap(([path, { version, optional = false }]) => {
    const there = installed.packages[path]
    const alike = path === '' || (there ? there.version === version : optional)
    return alike ? [] : [path]
  })

async function lockAt(name: string): Promise<Lock | undefined> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as Lock)
}
