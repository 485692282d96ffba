/** What Diptych is measured beside is a package of its own, installed when it is needed. */
import { access } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { projectFolder } from '../../server/page-build.ts'

const folder = join(projectFolder, 'bench')
const lockOfInstalled = join(folder, 'node_modules/.package-lock.json')

const peersInstalled = (): Promise<boolean> =>
  access(lockOfInstalled).then(
    () => true,
    () => false,
  )

/** @throws {Error} when npm could not. */
export async function installPeers(): Promise<void> {
  if (await peersInstalled()) return
  console.log('The other servers are not here yet: npm ci --prefix bench')
  const npm = spawn('npm', ['ci', '--no-progress'], { cwd: folder, stdio: 'inherit' })
  const [code] = (await once(npm, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`npm ci --prefix bench ended with ${code}.`)
}
