/** Ensures, before all suites, what they need: a browser and a build. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { arePagesBuilt } from '../../server/page-build.ts'
import { findTestBrowser, noChromiumMessage } from './chromium.ts'

const root = join(import.meta.dirname, '../..')

export default async function ensureBrowserAndBuild(): Promise<void> {
  if (!findTestBrowser()) throw new Error(noChromiumMessage)
  // Builds once here, instead of in each worker's server at the same time.
  if (!(await arePagesBuilt())) execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' })
}
