/** Before all suites: what they cannot do without. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { isBuilt } from '../../server/page-build.ts'
import { findChromium, noChromium } from './chromium.ts'

const root = join(import.meta.dirname, '../..')

export default async function prepare(): Promise<void> {
  if (!findChromium()) throw new Error(noChromium)
  // Here rather than by each worker's server at once.
  if (!(await isBuilt())) execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' })
}
