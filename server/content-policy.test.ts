import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { contentPolicy, createNonce, SONNER_STYLE } from './content-policy.ts'

test('[A8] the digest is that of the style sheet in Sonner’s package', async () => {
  const code = await readFile(new URL(import.meta.resolve('sonner')), 'utf8')
  const [, literal] = /__insertCSS\(("(?:[^"\\]|\\.)*")\)/.exec(code) ?? []
  const style = JSON.parse(literal ?? '""') as string
  expect(style.length).toBeGreaterThan(1_000)
  expect(SONNER_STYLE).toBe(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
})

test('[A8] scripts need the nonce, and what is not named may not be loaded from elsewhere', () => {
  const policy = new Map(
    contentPolicy({ nonce: 'abc', dev: false })
      .split('; ')
      .map((directive) => directive.split(/ (.*)/s) as [string, string]),
  )
  expect(policy.get('script-src')).toBe("'nonce-abc' 'strict-dynamic'")
  for (const name of [
    'object-src',
    'base-uri',
    'frame-ancestors',
    'frame-src',
    'media-src',
    'script-src-attr',
  ])
    expect(policy.get(name), name).toBe("'none'")
  for (const name of ['default-src', 'connect-src', 'worker-src', 'manifest-src', 'form-action'])
    expect(policy.get(name), name).toBe("'self'")
  expect([...policy.values()].join(' ')).not.toMatch(/unsafe-eval|\*|https?:/)
  const inline = [...policy].filter(([, sources]) => sources.includes("'unsafe-inline'"))
  expect(inline.map(([name]) => name)).toEqual(['style-src-attr'])
})

test('[A8] a nonce is 16 random bytes in base64', () => {
  expect(createNonce()).toMatch(/^[\w+/]{22}==$/)
  expect(createNonce()).not.toBe(createNonce())
})
