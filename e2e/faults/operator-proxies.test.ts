/** Runs the configurations of docs/operations with real proxies in front of the real server. */
import { exec } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import type { NetworkTransportId } from '../../lib/transports/transport.ts'
import { findFreePorts } from '../../server/fixtures/free-ports.ts'
import { httpClients } from '../../server/fixtures/http-clients.ts'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { createSharedDocument, openSharedDocument } from '../../server/fixtures/shared-document.ts'
import { temporaryFolder } from '../../server/fixtures/temporary-folder.ts'
import { leaseDatabase } from '../../server/store/fixtures/postgres-databases.ts'
import { describePostgres } from '../../server/store/fixtures/postgres-fixture.ts'
import { KillableServer } from '../fixtures/killable-server.ts'
import { testedTransports } from '../fixtures/transport-routes.ts'
import { startNginx } from './fixtures/nginx.ts'
import { createProxyFolder, isInstalled, ProxyProgram, skipNoteOf } from './fixtures/proxy-program.ts'

const docs = join(import.meta.dirname, '../../docs')

interface ProxyPlace {
  readonly folder: string
  readonly configuration: string
  readonly http: number
  readonly https: number
}

const proxies: Record<string, { readonly file: string; start(place: ProxyPlace): Promise<ProxyProgram> }> = {
  nginx: {
    file: 'nginx.conf',
    start: ({ folder, configuration, http, https }) => startNginx(folder, [http, https], configuration),
  },
  haproxy: {
    file: 'haproxy.cfg',
    async start({ folder, configuration, http, https }) {
      const file = join(folder, 'haproxy.cfg')
      await writeFile(file, configuration)
      return ProxyProgram.start('haproxy', ['-db', '-f', file], folder, [http, https])
    },
  },
  caddy: {
    file: 'Caddyfile',
    async start({ folder, configuration, http, https }) {
      const file = join(folder, 'Caddyfile')
      const ports = `{\n admin off\n http_port ${http}\n https_port ${https}\n}\n`
      await writeFile(file, ports + configuration)
      const argumentList = ['run', '--adapter', 'caddyfile', '--config', file]
      return ProxyProgram.start('caddy', argumentList, folder, [http, https])
    },
  },
}

interface ProxiedServers {
  /** Of the first server. */
  readonly dataDir: string
  /** The TLS ports of all. */
  readonly ports: readonly number[]
}

/**
 * Fills in the ports and paths of this test, uncomments the lines for further nodes, and lowers the limit of connections, which needs
 * fewer open files.
 */
async function placeConfiguration(
  file: string,
  { folder, http, https }: Omit<ProxyPlace, 'configuration'>,
  { dataDir, ports: [first, ...further] }: ProxiedServers,
): Promise<string> {
  const places: readonly [string, string][] = [
    ['/etc/letsencrypt/live/docs.example.org/fullchain.pem', `${folder}/cert.pem`],
    ['/etc/letsencrypt/live/docs.example.org/privkey.pem', `${folder}/key.pem`],
    ['/etc/haproxy/docs.example.org.pem', `${folder}/both.pem`],
    ['/srv/diptych/data', dataDir],
    ['127.0.0.1:3443', `127.0.0.1:${first}`],
    ['listen 443', `listen 127.0.0.1:${https}`],
    ['listen 80', `listen 127.0.0.1:${http}`],
    ['bind :443', `bind 127.0.0.1:${https}`],
    ['bind :80', `bind 127.0.0.1:${http}`],
    ['server_name docs.example.org', 'server_name localhost'],
    ['docs.example.org {', `localhost {\n bind 127.0.0.1\n tls ${folder}/cert.pem ${folder}/key.pem`],
    ['maxconn 20000', 'maxconn 200'],
  ]
  const text = await readFile(join(docs, 'operations', file), 'utf8')
  const placed = places.reduce((changed, [from, to]) => changed.replaceAll(from, to), text)
  return further.reduce(
    (changed, port, index) =>
      changed.replace(new RegExp(`# (.*)10\\.0\\.0\\.${index + 6}:3443`), `$1127.0.0.1:${port}`),
    placed,
  )
}

async function startProxy(name: string, ports: readonly [number, number], servers: ProxiedServers) {
  const { file, start } = proxies[name]!
  const place = { folder: await createProxyFolder(), http: ports[0], https: ports[1] }
  return start({ ...place, configuration: await placeConfiguration(file, place, servers) })
}

const settingsBehind = (https: number) => ({
  TRUSTED_PROXIES: '127.0.0.1',
  PUBLIC_URL: `https://localhost:${https}`,
})

async function startBehindProxy(name: string) {
  const [http = 0, https = 0] = await findFreePorts(2)
  const server = await RealServer.start({ environment: settingsBehind(https) })
  const proxy = await startProxy(name, [http, https], {
    dataDir: server.dataDir,
    ports: [Number(new URL(server.origin('https')).port)],
  })
  return {
    server,
    http: `http://localhost:${http}`,
    https: `https://localhost:${https}`,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await proxy[Symbol.asyncDispose]()
    },
  }
}

/** Runs the command of docs/OPERATIONS.md that gives a further node what it needs of the first one, on this computer. */
async function copyToNextNode(first: string, next: string): Promise<void> {
  const [command = ''] = /^tar -C .*$/m.exec(await readFile(join(docs, 'OPERATIONS.md'), 'utf8')) ?? []
  const [read, write] = command.split(' | ssh NEXT.NODE ')
  const inFolder = (half: string | undefined, folder: string) => half?.replace('/srv/diptych/data', folder)
  await promisify(exec)(`${inFolder(read, first)} | ${inFolder(write, next)}`)
}

async function startNodesBehindProxy(name: string) {
  await using started = new AsyncDisposableStack()
  const database = started.use(await leaseDatabase())
  const [http = 0, https = 0] = await findFreePorts(2)
  const environment = { ...settingsBehind(https), DATABASE_URL: database.url }
  const nodes: KillableServer[] = []
  const folders = [1, 2, 3].map(async () => started.use(await temporaryFolder()).path)
  const [dataDir = '', ...further] = await Promise.all(folders)
  nodes.push(started.use(await KillableServer.start({ folder: dataDir, environment })))
  for (const folder of further) {
    await copyToNextNode(dataDir, folder)
    nodes.push(started.use(await KillableServer.start({ folder, environment })))
  }
  const ports = nodes.map(({ origins }) => Number(new URL(origins.https).port))
  started.use(await startProxy(name, [http, https], { dataDir, ports }))
  const stack = started.move()
  return { nodes, https: `https://localhost:${https}`, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const askHealth = async (https: string): Promise<number> =>
  (await httpClients['http/1.1 over TLS']({ http: '', https }, '/healthz')).status

describe.each(Object.keys(proxies))('docs/operations: %s', (name) => {
  test.skipIf(!isInstalled(name))(
    `two windows write to each other by each transport, over HTTP/2 where it is HTTP${skipNoteOf(name)}`,
    async () => {
      await using place = await startBehindProxy(name)
      const { id, tokens } = await place.server.createDocument()
      for (const transport of testedTransports) {
        const options = { url: place.https, document: id, token: tokens.editor, transport, insecure: true }
        const [ada, bob] = [openDocument(options), openDocument(options)]
        await Promise.all([ada.whenSynced, bob.whenSynced])
        for (const [writer, reader] of [
          [ada, bob],
          [bob, ada],
        ] as const) {
          const word = `${transport} ${writer === ada ? 'ada' : 'bob'} `
          writer.doc.getText('trace').insert(0, word)
          await writer.whenSaved()
          await waitUntil(() => reader.doc.getText('trace').toJSON().startsWith(word), `${word} to arrive`)
        }
        expect(ada.transport?.transport).toBe(transport)
        if (transport !== 'websocket') expect(ada.transport?.protocol).toBe('h2')
        await Promise.all([ada.close(), bob.close()])
      }
    },
  )

  test.skipIf(!isInstalled(name))(`plain http goes to https${skipNoteOf(name)}`, async () => {
    await using place = await startBehindProxy(name)
    const { status, headers } = await fetch(`${place.http}/d/a?b=1`, { redirect: 'manual' })
    expect(status).toBe(308)
    expect(headers.get('location')).toMatch(/^https:\/\/localhost(:\d+)?\/d\/a\?b=1$/)
  })

  describePostgres('in front of three nodes', () => {
    test.skipIf(!isInstalled(name))(
      `requests and windows go on when the first node dies, and the second${skipNoteOf(name)}`,
      async () => {
        await using place = await startNodesBehindProxy(name)
        const shared = await createSharedDocument(place.nodes[0]!.origins.http)
        const open = (transport: NetworkTransportId) => openSharedDocument(place.https, shared, transport)
        const windows = testedTransports.map(open)
        await Promise.all(windows.map(({ whenSynced }) => whenSynced))
        const lengthOf = ({ doc }: OpenDocument): number => doc.getText('trace').length
        for (const [round, dying] of [null, ...place.nodes.slice(0, 2)].entries()) {
          await dying?.kill()
          const requests = Array.from({ length: 12 }, () => askHealth(place.https))
          expect(await Promise.all(requests)).toEqual(requests.map(() => 200))
          for (const { doc } of windows) doc.getText('trace').insert(0, 'x')
          await Promise.all(windows.map((window) => window.whenSaved()))
          const late = open('websocket')
          await late.whenSynced
          const length = (round + 1) * windows.length
          const areAllTold = () => [...windows, late].every((window) => lengthOf(window) === length)
          await waitUntil(areAllTold, 'everybody to have every letter')
          await late.close()
        }
        const last = place.nodes[2]!
        process.kill(last.pid, 'SIGSTOP')
        // Each proxy checks its nodes at least once in this time.
        await sleep(3_000)
        const requests = Array.from({ length: 12 }, () => askHealth(place.https))
        await sleep(1_000)
        process.kill(last.pid, 'SIGCONT')
        expect(await Promise.all(requests)).toEqual(requests.map(() => 200))
        await Promise.all(windows.map((window) => window.close()))
      },
      180_000,
    )
  })
})
