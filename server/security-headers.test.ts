import { expect, test } from 'vitest'
import { mayUseHsts, createPageHeaders } from './security-headers.ts'

test.each([
  ['/cert.pem', 'https://docs.example.org', true],
  ['/cert.pem', 'https://docs.example.org:8443', false],
  ['/cert.pem', null, false],
  [null, 'https://docs.example.org', false],
])('the certificate %j at %j earns HSTS: %j', (tlsCert, publicUrl, expected) => {
  expect(mayUseHsts({ tlsCert, publicUrl })).toBe(expected)
  expect(
    'strict-transport-security' in
      createPageHeaders({ hsts: mayUseHsts({ tlsCert, publicUrl }), dev: false })('/', null),
  ).toBe(expected)
})

test.each([null, 'abc'])(
  '[A8] an answer with the nonce %j is in no frame, and in no other site’s process',
  (nonce) => {
    const headers = createPageHeaders({ hsts: false, dev: false })('/d/abc', nonce)
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  },
)

test.each([
  ['/', 'same-origin-allow-popups'],
  ['/d/abc', 'same-origin-allow-popups'],
  ['/d/abc/p/outline', 'same-origin'],
  ['/d/abc/p/', 'same-origin'],
  ['/d/p/abc', 'same-origin-allow-popups'],
  [null, 'same-origin-allow-popups'],
])('[W1] the opener policy of %j is %s', (path, policy) => {
  expect(createPageHeaders({ hsts: false, dev: false })(path, null)['cross-origin-opener-policy']).toBe(
    policy,
  )
})
