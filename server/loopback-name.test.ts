import { expect, test } from 'vitest'
import { isLoopbackName } from './loopback-name.ts'

test.each([
  ['localhost', true],
  ['app.localhost', true],
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['[::1]', true],
  ['127.evil.example', false],
  ['localhost.evil.example', false],
  ['192.168.1.5', false],
  ['', false],
])('the name %j means this computer: %j', (name, expected) => {
  expect(isLoopbackName(name)).toBe(expected)
})
