/** Runs the configurations of docs/operations with real proxies in front of the real server. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDocument } from '../../lib/client.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { findFreePorts } from '../../server/fixtures/free-ports.ts'
import { testedTransports } from '../fixtures/transport-routes.ts'
import { startNginx } from './fixtures/nginx.ts'
import { createProxyFolder, isInstalled, ProxyProgram, skipNoteOf } from './fixtures/proxy-program.ts'

interface ProxyPlace {
  readonly folder: string
  readonly configuration: string
  readonly http: number
  readonly https: number
}

const proxies: Record<string, { readonly file: string; start(place: ProxyPlace): Promise<ProxyProgram> }> = {
  nginx: {
    file: 'nginx.conf',
    start: ({ folder, configuration, https }) => startNginx(folder, https, configuration),
  },
  haproxy: {
    file: 'haproxy.cfg',
    async start({ folder, configuration, https }) {
      const file = join(folder, 'haproxy.cfg')
      await writeFile(file, configuration)
      return ProxyProgram.start('haproxy', ['-db', '-f', file], folder, https)
    },
  },
  caddy: {
    file: 'Caddyfile',
    async start({ folder, configuration, http, https }) {
      const file = join(folder, 'Caddyfile')
      const ports = `{\n admin off\n http_port ${http}\n https_port ${https}\n}\n`
      await writeFile(file, ports + configuration)
      return ProxyProgram.start('caddy', ['run', '--adapter', 'caddyfile', '--config', file], folder, https)
    },
  },
}

/** Fills in the ports and paths of this test, and lowers the limit of connections, which needs fewer open files. */
async function placeConfiguration(
  file: string,
  { folder, http, https, server }: { folder: string; http: number; https: number; server: RealServer },
): Promise<string> {
  const places: readonly [string, string][] = [
    ['/etc/letsencrypt/live/docs.example.org/fullchain.pem', `${folder}/cert.pem`],
    ['/etc/letsencrypt/live/docs.example.org/privkey.pem', `${folder}/key.pem`],
    ['/etc/haproxy/docs.example.org.pem', `${folder}/both.pem`],
    ['/srv/diptych/data', server.dataDir],
    ['127.0.0.1:3443', `127.0.0.1:${new URL(server.origin('https')).port}`],
    ['listen 443', `listen 127.0.0.1:${https}`],
    ['listen 80', `listen 127.0.0.1:${http}`],
    ['bind :443', `bind 127.0.0.1:${https}`],
    ['bind :80', `bind 127.0.0.1:${http}`],
    ['server_name docs.example.org', 'server_name localhost'],
    ['docs.example.org {', `localhost {\n bind 127.0.0.1\n tls ${folder}/cert.pem ${folder}/key.pem`],
    ['maxconn 20000', 'maxconn 200'],
  ]
  const text = await readFile(join(import.meta.dirname, '../../docs/operations', file), 'utf8')
  return places.reduce((changed, [from, to]) => changed.replaceAll(from, to), text)
}

async function startBehindProxy(name: string) {
  const { file, start } = proxies[name]!
  const [http = 0, https = 0] = await findFreePorts(2)
  const server = await RealServer.start({
    environment: { TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: `https://localhost:${https}` },
  })
  const folder = await createProxyFolder()
  const configuration = await placeConfiguration(file, { folder, http, https, server })
  const proxy = await start({ folder, configuration, http, https })
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
})
