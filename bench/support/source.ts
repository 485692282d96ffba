/** What of the checkout a figure depends on, as a digest: a run goes on only with the program that it began with. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { projectFolder } from '../../server/page-build.ts'

/** Of e2e what servers, browsers and clients of the benchmarks are started with. */
const sources = [
  '{app,bench,components,lib,public,server}/**/*',
  'e2e/{chaos,fixtures}/**/*',
  '{package,package-lock}.json',
  '{next,postcss}.config.*',
]
/** Neither what is installed, which the lock files tell, nor what was measured. */
const left = ['**/node_modules', 'bench/results']

/** Of contents alone, so that it knows no git: files that nobody has added count, a README does not. */
export function sourceOf(folder = projectFolder): string {
  const hash = createHash('sha256')
  for (const file of filesIn(folder)) {
    const content = readFileSync(join(folder, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 16)
}

const filesIn = (folder: string): string[] =>
  globSync(sources, { cwd: folder, exclude: left, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
