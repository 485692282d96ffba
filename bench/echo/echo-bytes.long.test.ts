import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../server/fixtures/temporary-folder.ts'
import { FaultProxy } from '../../e2e/fixtures/fault-proxy.ts'
import { calculateEchoBytes, type WireBytes } from './echo-bytes.ts'
import { calculateOpeningBytes } from './opening-bytes.ts'
import { openEcho } from './echo-connection.ts'
import { huffmanBytes } from './huffman-bytes.ts'
import { type ServerProcess, startServer } from '../support/server.ts'
import { echoServer, portOf, schemesOf, echoLaneNames, type EchoLaneName } from './echo-lanes.ts'

const ECHOES = 20

test.each([
  // RFC 7541, C.4 and C.6
  ['www.example.com', 12],
  ['no-cache', 6],
  ['private', 5],
])('"%s" takes %d bytes by HPACK', (text, bytes) => expect(huffmanBytes(text)).toBe(bytes))

describe('bytes on plain TCP are as calculated', () => {
  let servers: { raw: ServerProcess; gateways: ServerProcess }
  const started = new AsyncDisposableStack()
  beforeAll(async () => {
    const { path } = started.use(await temporaryFolder())
    const start = async (name: EchoLaneName): Promise<ServerProcess> =>
      started.adopt(await startServer(echoServer(name), path), (server) => server.stop())
    servers = { raw: await start('raw'), gateways: await start('websocket') }
  })
  afterAll(() => started.disposeAsync())

  const plain = echoLaneNames.filter((name) => schemesOf(name).includes('plain'))
  test.each(plain.flatMap((name) => [16, 200, 4_000].map((size) => [name, size] as const)))(
    'by %s, %d bytes: the opening with the first echo, and the echoes after it',
    // A client of another file may knock here: it looks for its server, which had the port before.
    { retry: 1 },
    async (name, size) => {
      await using proxy = await proxyTo(portOf(name === 'raw' ? servers.raw : servers.gateways, 'plain'))
      const authority = `localhost:${proxy.port}`
      const opening = calculateOpeningBytes(name, size, authority)
      const each = calculateEchoBytes(name, 'plain', size, authority)
      await using echo = await openEcho({ lane: name, scheme: 'plain', port: proxy.port })
      await echo.ready()
      const payload = new Uint8Array(size).fill(7)
      await echo.echo(payload)
      await expectCarried(proxy, opening)
      for (let count = 0; count < ECHOES; count++) expect(await echo.echo(payload)).toEqual(payload)
      await expectCarried(proxy, {
        up: opening.up + ECHOES * each.up,
        down: opening.down + ECHOES * each.down,
      })
    },
  )
})

async function proxyTo(port: number) {
  const proxy = await FaultProxy.listen()
  proxy.targetPort = port
  return Object.assign(proxy, { [Symbol.asyncDispose]: () => proxy.close() })
}

/** Waits for what may follow an echo, such as the 204 of a POST or the next poll, and then expects no more. */
async function expectCarried({ passedBytes }: FaultProxy, carried: WireBytes): Promise<void> {
  await expect.poll(() => ({ ...passedBytes }), { timeout: 5_000 }).toEqual(carried)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(passedBytes).toEqual(carried)
}
