import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDocument } from '../../lib/client.ts'
import { authorityFile } from '../../server/certificate.ts'
import { type EndedChild, startChild } from '../../server/fixtures/child-process.ts'
import { testConfig } from '../../server/fixtures/test-server.ts'
import { temporaryFolder } from '../../server/fixtures/temporary-folder.ts'
import { silentLogger } from '../../server/fixtures/silent-logger.ts'
import { createDocumentLink } from '../../server/fixtures/document-link.ts'
import { type RunningServer, startServer } from '../../server/server.ts'

/** Runs the example with these arguments, to its end. */
async function runExample(...args: string[]): Promise<EndedChild> {
  await using child = startChild(process.execPath, [join(import.meta.dirname, 'client.ts'), ...args])
  return await child.ended
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let server: RunningServer

beforeAll(async () => {
  folder = await temporaryFolder()
  server = await startServer(testConfig(folder.path), { log: silentLogger, pages: false })
})
afterAll(async () => {
  await server.drain()
  await folder[Symbol.asyncDispose]()
})

describe('the example runs as it stands', () => {
  test.each([
    ['websocket', 'sse', 'h2', 'https', 'ca'],
    ['sse', 'websocket', 'http/1.1', 'https', 'insecure'],
    ['sse', 'websocket', 'http/1.1', 'http', 'no certificate'],
    ['websocket', 'sse', 'http/1.1', 'http', 'no certificate'],
  ] as const)('first over %s, then %s (%s), by %s with %s', async (first, then, protocol, scheme, trust) => {
    const { document, token } = await createDocumentLink(server)
    const trusting = {
      ca: ['--ca', await authorityFile(folder.path)],
      insecure: ['--insecure'],
      'no certificate': [],
    }
    const args = [server[scheme], document, token, '--transport', first, ...trusting[trust]]
    const { stdout, stderr } = await runExample(...args)
    expect(stderr).toBe('')
    expect(stdout).toContain('Title: Shared\n')
    expect(stdout).toContain(`Saved. Now on ${then} (${protocol})`)
    const reader = openDocument({ url: server.http, document, token })
    await reader.whenSynced
    expect(reader.doc.getXmlFragment('default').toJSON()).toContain(`Written from Node over ${first}.`)
    await reader.close()
  })

  test('with a wrong token, and without arguments, it ends and says why', async () => {
    const { document, token } = await createDocumentLink(server)
    const [refused, unnamed] = [await runExample(server.http, document, `${token}x`), await runExample()]
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('DocumentRefused')])
    expect([unnamed.code, unnamed.stderr]).toEqual([1, expect.stringContaining('Name the server')])
  })
})
