/** Checks the types of bench/peers where its packages are installed (`npm ci --prefix bench`), because they are bench's own. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './processes.ts'

const bench = join(import.meta.dirname, '../bench')

if (existsSync(join(bench, 'node_modules'))) {
  const { code, output } = await run('tsc', ['--noEmit', '-p', join(bench, 'peers')])
  if (code !== 0) console.log(output.trimEnd())
  process.exitCode = code
}
