import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as lib0Buffer from 'lib0/buffer'
import { expect, test } from 'vitest'
import * as buffer from './buffer.ts'
import * as environment from './environment.ts'
import * as logging from './logging.ts'

const replacements = { buffer, environment, logging }

const yjs = readFileSync(fileURLToPath(import.meta.resolve('yjs')).replace(/\.cjs$/, '.mjs'), 'utf8')

/** Lists what a module uses of `lib0/…`, which it imports as a namespace. */
function namesUsed(source: string, module: string): readonly string[] {
  const namespace = new RegExp(`import \\* as (\\w+) from ['"]lib0/${module}['"]`).exec(source)?.[1]
  return namespace
    ? [...source.matchAll(new RegExp(`(?<![.\\w])${namespace}\\.(\\w+)`, 'g'))].map((use) => use[1]!)
    : []
}

test.each(Object.entries(replacements))(
  'lib0/%s is replaced with all that is used of it',
  (module, exports) => {
    const used = new Set(namesUsed(yjs, module))
    expect(used.size).toBeGreaterThan(0)
    expect(Object.keys(exports)).toEqual(expect.arrayContaining([...used]))
  },
)

test('the names of marks that are stored in a document are those of lib0', () => {
  const attributes = { href: 'https://example.org/ü?', class: null, list: [1, 2.5, true], bytes: 'ÿ\u0000' }
  const encoded = lib0Buffer.encodeAny(attributes)
  expect(buffer.encodeAny(attributes)).toEqual(encoded)
  expect(buffer.toBase64(encoded)).toBe(lib0Buffer.toBase64(encoded))
})

test('a copy of bytes does not change with them', () => {
  const bytes = new Uint8Array([1, 2, 3]).subarray(1)
  const copy = buffer.copyUint8Array(bytes)
  bytes[0] = 9
  expect(copy).toEqual(lib0Buffer.copyUint8Array(new Uint8Array([2, 3])))
})
