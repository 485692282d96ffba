/** Before all suites: what they cannot do without. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { arePagesBuilt } from '../../server/page-build.ts'
import { findTestBrowser, noChromiumMessage } from './chromium.ts'

const root = join(import.meta.dirname, '../..')

export default async function ensureBrowserAndBuild(): Promise<void> {
  if (!findTestBrowser()) throw new Error(noChromiumMessage)
  // Here rather than by each worker's server at once.
  if (!(await arePagesBuilt())) execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' })
}
