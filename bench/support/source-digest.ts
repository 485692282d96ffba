/** Digests the files that a figure depends on: a run is continued only with the program that it began with. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { projectFolder } from '../../server/page-build.ts'

/** The files that figures depend on. Of e2e these are the fixtures that start servers, browsers and clients. */
const sources = [
  '{app,bench,components,lib,public,server}/**/*',
  'e2e/{chaos,fixtures}/**/*',
  '{package,package-lock}.json',
  '{next,postcss}.config.*',
]
/** The lock files stand for what is installed. */
const excluded = ['**/node_modules', 'bench/results']

/** Reads contents, not git: a file that nobody has added counts. */
export function digestSources(folder = projectFolder): string {
  const hash = createHash('sha256')
  for (const file of filesIn(folder)) {
    const content = readFileSync(join(folder, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 16)
}

const filesIn = (folder: string): string[] =>
  globSync(sources, { cwd: folder, exclude: excluded, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
