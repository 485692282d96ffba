/** Checks whether the pages are built from the present sources. It knows files; `scripts/build.ts` builds. */
import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const projectFolder = join(import.meta.dirname, '..')
export const buildFolder = join(projectFolder, '.next')
/** All files that are served unchanged, under their paths in URLs. */
export const assetsFolder = join(buildFolder, 'assets')

/** The build writes this file last, so a build that broke off has none. */
export const fingerprintFile = join(buildFolder, 'fingerprint')

const sourcePatterns = [
  'package-lock.json',
  'next.config.js',
  'postcss.config.*',
  'scripts/build.ts',
  '{app,components,lib,public}/**/*',
]

/** Nothing but a change of the sources or of the folder's rights helps: the same start fails in the same way. */
export class PagesNotBuilt extends Error {
  override readonly name = 'PagesNotBuilt'

  constructor() {
    super(
      'the pages could not be built; the lines above say why. `npm run build`, by a user who may write this folder, builds them beforehand.',
    )
  }
}

export const arePagesBuilt = async (): Promise<boolean> =>
  (await readFile(fingerprintFile, 'utf8').catch(() => '')) === (await computeFingerprint())

/** A digest of the names and contents of everything the pages are made from. */
export async function computeFingerprint(folder = projectFolder): Promise<string> {
  const hash = createHash('sha256')
  for (const file of await sourceFiles(folder)) {
    const content = await readFile(join(folder, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

async function sourceFiles(folder: string): Promise<string[]> {
  const found: string[] = []
  for await (const entry of glob(sourcePatterns, { cwd: folder, withFileTypes: true }))
    if (entry.isFile()) found.push(join(entry.parentPath, entry.name).slice(folder.length + 1))
  return found.filter((file) => !/\.(test|contract)\.tsx?$/.test(file)).sort()
}
