import { expect, test } from 'vitest'
import { earnsHsts, securityHeaders } from './security-headers.ts'

test.each([
  ['/cert.pem', 'https://docs.example.org', true],
  ['/cert.pem', 'https://docs.example.org:8443', false],
  ['/cert.pem', null, false],
  [null, 'https://docs.example.org', false],
])('the certificate %j at %j earns HSTS: %j', (tlsCert, publicUrl, expected) => {
  expect(earnsHsts({ tlsCert, publicUrl })).toBe(expected)
  expect('strict-transport-security' in securityHeaders(earnsHsts({ tlsCert, publicUrl }))).toBe(expected)
})
