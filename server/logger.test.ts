import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'

const token = 'q7Xc_0-vLw2Jm4sT8uR1aQ'

function logLinesOf(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  write(createLogger({ logLevel: 'debug' }, destination))
  return lines.join('')
}

test.each([
  ['an address', { url: `/yjs/abc?token=${token}` }],
  ['an address with more', { url: `wss://host/yjs/abc?a=1&ticket=${token}&b=2` }],
  ['a share link', { url: `https://host/d/abc#token=${token}` }],
  ['a subprotocol', { headers: { 'sec-websocket-protocol': `diptych.yjs, diptych.token.${token}` } }],
  ['a header', { headers: { authorization: `Bearer ${token}` } }],
  ['a cookie', { headers: { cookie: `theme=dark; __Host-diptych.session_token=${token}.sig%3D` } }],
  ['an error', { err: new Error(`GET /yjs/abc?token=${token} failed`) }],
  [
    'an error under another name',
    { error: new Error(`Bearer ${token}`), cause: new Error(`#token=${token}`) },
  ],
])('[A3] %s leaves its secret out of the log', (_what, fields) => {
  const logged = logLinesOf((log) => log.error(fields, 'a request failed'))
  expect(logged).not.toContain(token)
  expect(logged).toContain('[redacted]')
  expect(JSON.parse(logged)).toMatchObject({ msg: 'a request failed' })
})

test('text without a secret is logged unchanged', () => {
  const logged = logLinesOf((log) => log.info({ path: '/d/abc?panel=outline', tokens: 3 }, 'a token ring'))
  expect(JSON.parse(logged)).toMatchObject({ path: '/d/abc?panel=outline', tokens: 3, msg: 'a token ring' })
})
