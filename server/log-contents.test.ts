/** Drives a server with marked words wherever a person can put one, and looks for them in all that it logs. */
import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'
import { RawClient, createAttachMessage, createEditMessage, helloMessage } from './fixtures/raw-client.ts'
import { RealServer } from './fixtures/real-server.ts'

const MARK = 'xsecretx'

interface LogLine {
  readonly level: number
  readonly msg: string
  readonly request?: string
  readonly session?: string
  readonly err?: object
}

function createRecordingLogger() {
  const lines: string[] = []
  const log = createLogger({ logLevel: 'trace' }, { write: (line) => void lines.push(line) })
  return { log, text: () => lines.join(''), lines: () => lines.map((line) => JSON.parse(line) as LogLine) }
}

test('no line holds text, titles, names or tokens, whatever comes; lines of requests and sessions name theirs', async () => {
  const recording = createRecordingLogger()
  await using server = await RealServer.start({
    log: recording.log,
    environment: { ADMIN_TOKEN: `${MARK}-0123456789` },
  })
  const origin = server.origin('http')
  const shared = await server.createDocument()
  const writer = server.openDocument(shared, { transport: 'websocket', scheme: 'http' })
  await writer.whenSynced
  writer.doc.getText('title').insert(0, `${MARK} title`)
  writer.doc.getText('trace').insert(0, `${MARK} text`)
  await writer.whenSaved()
  await writer.close()

  // An edit that is no edit, a session that breaks the rules, and an upgrade and requests with secrets where they do not belong.
  using client = await RawClient.open('sse', origin, shared.tokens.editor)
  client.send(helloMessage, createAttachMessage(shared.id))
  await client.waitForMessage('attached')
  client.send(createEditMessage(new TextEncoder().encode(`${MARK} no update`)))
  await client.waitForMessage('refused')
  const headers = { authorization: `Bearer ${MARK}`, cookie: `diptych.session_token=${MARK}`, origin }
  for (const path of ['/yjs/a?token=', '/api/documents?token=', `/nothing?ticket=`, '/sync/stream?token='])
    await fetch(`${origin}${path}${MARK}`, { headers })
  for (const body of [`{"title":"${MARK}"`, `{"title":{"${MARK}":1}}`, JSON.stringify({ token: MARK })])
    for (const path of ['/api/documents', '/api/admin/session', '/api/me'])
      await fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
  const bearer = { authorization: `Bearer ${shared.tokens.editor}` }
  const made = await fetch(`${origin}/api/documents/${shared.id}`, { method: 'DELETE', headers: bearer })
  expect(made.status).toBeLessThan(500)
  await server.stop()

  const text = recording.text()
  expect(text).not.toContain(MARK)
  for (const token of Object.values(shared.tokens)) expect(text).not.toContain(token)
  const linesWith = (message: string) => recording.lines().filter(({ msg }) => msg === message)
  for (const { request } of linesWith('link made')) expect(request).toMatch(/^[0-9a-f]{8}-\w+$/)
  expect(linesWith('link made').length).toBeGreaterThan(0)
  const ids = linesWith('link made').map(({ request }) => request)
  expect(new Set(ids).size).toBe(ids.length)
})

test('what a database adds to its error stays out of the log', () => {
  const recording = createRecordingLogger()
  const cause = Object.assign(new Error('new row violates a constraint'), {
    code: '23514',
    detail: `Failing row contains (${MARK}).`,
    parameters: [MARK],
  })
  recording.log.error({ err: new Error('store did not commit', { cause }), error: cause }, 'failed')
  expect(recording.text()).not.toContain(MARK)
  expect(JSON.parse(recording.text())).toMatchObject({
    err: { message: expect.stringContaining('new row violates') as string },
    error: { code: '23514', type: 'Error' },
  })
})
