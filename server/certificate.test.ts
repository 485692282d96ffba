import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { X509Certificate } from 'node:crypto'
import tls from 'node:tls'
import { expect, test } from 'vitest'
import type { Certificate } from './certificate.ts'
import { authorityFile, certificateFor } from './certificate.ts'
import { SettingError } from './config.ts'
import { testConfig } from './fixtures/test-server.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'

test('the leaf convinces a client that trusts the authority, by every name', async () => {
  await using folder = await temporaryFolder()
  const config = testConfig(folder.path, { PUBLIC_URL: 'https://docs.example.org' })
  const certificate = await certificateFor(config)
  const ca = await readFile(await authorityFile(folder.path), 'utf8')
  for (const name of ['localhost', '127.0.0.1', '::1', 'docs.example.org'])
    expect(await handshake(certificate, name, ca)).toBe('authorized')
  expect(await handshake(certificate, 'other.example.org', ca)).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
  expect(await handshake(certificate, 'localhost', undefined)).not.toBe('authorized')
})

test('keys are readable by their owner alone', async () => {
  await using folder = await temporaryFolder()
  await certificateFor(testConfig(folder.path))
  for (const name of ['authority-key.pem', 'leaf-key.pem'])
    expect((await stat(join(folder.path, 'tls', name))).mode & 0o777).toBe(0o600)
})

test('a second start keeps the leaf, other names make another under the same authority', async () => {
  await using folder = await temporaryFolder()
  const first = await certificateFor(testConfig(folder.path))
  const again = await certificateFor(testConfig(folder.path))
  const renamed = await certificateFor(testConfig(folder.path, { PUBLIC_URL: 'https://docs.example.org' }))
  expect(again).toEqual(first)
  expect(renamed.cert).not.toBe(first.cert)
  expect(authorityPemOf(renamed)).toBe(authorityPemOf(first))
})

test('a leaf that ends within 30 days is renewed', async ({ onTestFinished }) => {
  await using folder = await temporaryFolder()
  const config = testConfig(folder.path)
  const first = await certificateFor(config)
  const end = new Date(new X509Certificate(first.cert).validTo).getTime()
  const realNow = Date.now
  onTestFinished(() => void (Date.now = realNow))
  Date.now = () => end - 31 * 24 * 3600 * 1000
  expect((await certificateFor(config)).cert).toBe(first.cert)
  Date.now = () => end - 29 * 24 * 3600 * 1000
  expect((await certificateFor(config)).cert).not.toBe(first.cert)
})

test('a damaged or mismatched pair is replaced', async () => {
  await using folder = await temporaryFolder()
  await using other = await temporaryFolder()
  const config = testConfig(folder.path)
  const first = await certificateFor(config)
  const foreign = await certificateFor(testConfig(other.path))
  await writeFile(join(folder.path, 'tls/leaf-key.pem'), foreign.key)
  const second = await certificateFor(config)
  expect(second.cert).not.toBe(first.cert)
  expect(new X509Certificate(second.cert).verify(new X509Certificate(authorityPemOf(first)).publicKey)).toBe(
    true,
  )
})

test('the owner’s certificate is used unchanged', async () => {
  await using folder = await temporaryFolder()
  const { cert, key, environment } = await createOwnFiles(folder.path)
  expect(await certificateFor(testConfig(folder.path, environment))).toEqual({ cert, key, local: false })
})

test.each([
  [
    'a missing key',
    { TLS_KEY: '/nowhere/key.pem' },
    /^TLS_KEY is "\/nowhere\/key\.pem", which cannot be read \(ENOENT\): allowed is a readable PEM file/,
  ],
  [
    'a missing certificate',
    { TLS_CERT: '/nowhere/cert.pem' },
    /^TLS_CERT is "\/nowhere\/cert\.pem", which cannot be read/,
  ],
  [
    'an invalid key',
    { TLS_KEY: 'CERT' },
    /^TLS_KEY is ".*", which is not a private key without a passphrase in PEM form\.$/,
  ],
  [
    'an invalid certificate',
    { TLS_CERT: 'KEY' },
    /^TLS_CERT is ".*", which is not a certificate in PEM form\.$/,
  ],
  ["another certificate's key", { TLS_KEY: 'OTHER' }, /^TLS_KEY is ".*", which is not the key of TLS_CERT/],
])('%s is refused by one sentence', async (_what, wrongSettings, sentence) => {
  // prettier-ignore
  await using folder = await temporaryFolder()
  const { environment, files } = await createOwnFiles(folder.path)
  const resolved = Object.fromEntries(
    Object.entries(wrongSettings).map(([name, value]) => [name, files[value as keyof typeof files] ?? value]),
  )
  const refusal = certificateFor(testConfig(folder.path, { ...environment, ...resolved }))
  await expect(refusal).rejects.toThrow(SettingError)
  await expect(refusal).rejects.toThrow(sentence)
})

async function createOwnFiles(folder: string) {
  const { cert, key } = await certificateFor(testConfig(folder))
  const files = {
    CERT: join(folder, 'cert.pem'),
    KEY: join(folder, 'key.pem'),
    OTHER: join(folder, 'tls/authority-key.pem'),
  }
  await writeFile(files.CERT, cert)
  await writeFile(files.KEY, key)
  return { cert, key, files, environment: { TLS_CERT: files.CERT, TLS_KEY: files.KEY } }
}

const authorityPemOf = ({ cert }: Certificate): string => cert.slice(cert.lastIndexOf('-----BEGIN'))

async function handshake({ cert, key }: Certificate, name: string, ca: string | undefined): Promise<string> {
  const server = tls.createServer({ cert, key }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const options = { port, host: '127.0.0.1', rejectUnauthorized: false, ...(ca ? { ca } : {}) }
  const socket = tls.connect({ ...options, servername: name.includes(':') || /^\d/.test(name) ? '' : name, checkServerIdentity: (_host, peer) => tls.checkServerIdentity(name, peer) }) // prettier-ignore
  await once(socket, 'secureConnect')
  const result = socket.authorized ? 'authorized' : String((socket.authorizationError as unknown as { code?: string })?.code ?? socket.authorizationError) // prettier-ignore
  socket.destroy()
  server.close()
  return result
}
