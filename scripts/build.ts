/**
 * Builds the pages, then gathers the static files in `.next/assets`, compressed once here instead of at each request. Run by `npm
 * run build`, and by `npm start` when there is no build or the sources are newer.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import {
  assetsFolder,
  buildFolder,
  computeFingerprint,
  fingerprintFile,
  projectFolder,
} from '../server/page-build.ts'

/** The highest quality takes four times as long for 3 % less, and is worth it because it runs once. */
const QUALITY = constants.BROTLI_MAX_QUALITY

const compressible = '**/*.{js,mjs,css,svg,json,webmanifest,txt,xml,map,wasm,ttf}'

const startedAt = performance.now()
const buildFingerprint = await computeFingerprint()
await rm(fingerprintFile, { force: true })
console.log('Building the pages. This takes a minute, once.')
await buildPages()
await gatherAssets()
await finishServiceWorker()
const count = await compressAssets()
await writeFile(fingerprintFile, buildFingerprint)
console.log(
  `Built the pages in ${Math.round((performance.now() - startedAt) / 1000)} s; ${count} files compressed.`,
)

async function buildPages(): Promise<void> {
  const next = createRequire(import.meta.url).resolve('next/dist/bin/next')
  const child = spawn(process.execPath, [next, 'build'], {
    cwd: projectFolder,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  // Next has printed the reason.
  if (code !== 0) process.exit(1)
}

async function gatherAssets(): Promise<void> {
  await rm(assetsFolder, { recursive: true, force: true })
  await cp(join(projectFolder, 'public'), assetsFolder, { recursive: true }).catch(ignoreMissing)
  await cp(join(buildFolder, 'static'), join(assetsFolder, '_next/static'), { recursive: true })
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/**
 * Writes into the service worker its build, so that a new build is a new worker, and the files that it caches. Other fonts are
 * cached as they are used.
 */
async function finishServiceWorker(): Promise<void> {
  const file = join(assetsFolder, 'sw.js')
  const files = globSync('_next/static/**/*{.js,.css,-latin-wght-*.woff2}', { cwd: assetsFolder }).sort()
  const template = await readFile(file, 'utf8')
  const completedScript = template
    .replace("'__BUILD__'", JSON.stringify(buildFingerprint.slice(0, 16)))
    .replace("['__FILES__']", JSON.stringify(files.map((path) => `/${path}`)))
  await writeFile(file, completedScript)
}

async function compressAssets(): Promise<number> {
  const files = globSync(compressible, { cwd: assetsFolder })
  const results = await Promise.all(files.map((file) => compress(join(assetsFolder, file))))
  return results.filter(Boolean).length
}

/** Compresses in Node's thread pool, several files at once. Returns false when it gains nothing. */
async function compress(file: string): Promise<boolean> {
  const content = await readFile(file)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  const compressed = await promisify(brotliCompress)(content, { params })
  if (compressed.length >= content.length) return false
  await writeFile(`${file}.br`, compressed)
  return true
}
