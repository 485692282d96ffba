/** Installs the packages that Diptych is measured beside, which are those of bench/package.json, when they are needed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectFolder } from '../../server/page-build.ts'
import type { Trial } from './trial.ts'

const folder = join(projectFolder, 'bench')

/** The contents of package-lock.json, or of npm's record of node_modules. */
interface PackageLock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly optional?: boolean }>>
}

export async function arePeersInstalled(): Promise<boolean> {
  const installed = await readLock('node_modules/.package-lock.json')
  const wanted = await readLock('package-lock.json')
  return wanted !== undefined && installed !== undefined && differentPackages(wanted, installed).length === 0
}

/** The servers that the project's own packages run: Diptych, and a bare one of Node. */
const ownSubjects: readonly string[] = ['diptych', 'raw']

export const needsPeers = ({ subject }: Trial): boolean => !ownSubjects.includes(subject)

/** @throws {Error} when npm fails. */
export async function installPeers(): Promise<void> {
  if (await arePeersInstalled()) return
  const installed = await readLock('node_modules/.package-lock.json')
  console.log(
    `The other servers are ${installed ? 'not those of bench/package-lock.json' : 'not here yet'}: npm ci --prefix bench`,
  )
  const npm = spawn('npm', ['ci', '--no-progress'], { cwd: folder, stdio: 'inherit' })
  const [code] = (await once(npm, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`npm ci --prefix bench ended with ${code}.`)
}

/** Returns the paths of packages that are not installed as wanted. An optional one may be absent: it may be for another platform. */
export const differentPackages = (wanted: PackageLock, installed: PackageLock): string[] =>
  Object.entries(wanted.packages).flatMap(([path, { version, optional = false }]) => {
    const there = installed.packages[path]
    const alike = path === '' || (there ? there.version === version : optional)
    return alike ? [] : [path]
  })

async function readLock(name: string): Promise<PackageLock | undefined> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as PackageLock)
}
