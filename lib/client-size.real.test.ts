import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { rolldown, type Plugin } from 'rolldown'
import { expect, test } from 'vitest'

/** In kB of 1,000 bytes: minified and compressed with Brotli, without Yjs, and without what is loaded only when it is needed. */
const LIMIT_KB = 32

const NAMED_MODULES = 5

const yjs = /^(?:yjs|lib0|y-protocols)(?:\/|$)/

/** Leaves out what the client imports on demand. */
const withoutDynamicImports: Plugin = {
  name: 'without-dynamic-imports',
  resolveId: (id, _importer, { kind }) => (kind === 'dynamic-import' ? { id, external: true } : null),
}

test('the client is small for a page that already has Yjs', async () => {
  await using bundle = await rolldown({
    input: join(import.meta.dirname, 'client.ts'),
    platform: 'browser',
    external: [yjs],
    plugins: [withoutDynamicImports],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  const [client, ...others] = output
  expect(others).toEqual([])
  const sizeKb = brotliCompressSync(client.code).length / 1000
  const modules = Object.entries(client.modules).sort(([, a], [, b]) => b.renderedLength - a.renderedLength)
  const biggest = modules.slice(0, NAMED_MODULES).map(([path]) => path.slice(import.meta.dirname.length + 1))
  const sentence = `lib/client.ts has ${sizeKb.toFixed(1)} kB; the limit is ${LIMIT_KB} kB. Its biggest modules: ${biggest.join(', ')}`
  expect(sizeKb, sentence).toBeLessThanOrEqual(LIMIT_KB)
})
