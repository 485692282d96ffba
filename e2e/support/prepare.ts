/** Before all suites: what they cannot do without. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium, noChromium } from './chromium.ts'

const root = join(import.meta.dirname, '../..')

export default function prepare(): void {
  if (!findChromium()) throw new Error(noChromium)
  // Here rather than by each worker's server at once.
  if (!existsSync(join(root, '.next/BUILD_ID')))
    execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' })
}
