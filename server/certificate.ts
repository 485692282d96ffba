/**
 * Provides the certificate of the TLS listener: the owner's from TLS_CERT and TLS_KEY, else one signed by an authority that is
 * created on this machine and that `npm run trust` installs. It knows files and names; it does not know servers.
 */
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { serverNamesOf } from './server-addresses.ts'
import type { Config } from './config.ts'
import { SettingError } from './config.ts'
import { settings } from './settings.ts'

/** PEM text: the leaf with its chain, and the leaf's key. */
export interface Certificate {
  readonly cert: string
  readonly key: string
  /** True when this machine created it: browsers know it only after `npm run trust`. */
  readonly local: boolean
}

const DAY_MS = 24 * 60 * 60 * 1000
const AUTHORITY_DAYS = 3650
/** Browsers refuse leaves that live longer than 398 days. */
const LEAF_DAYS = 397
const RENEW_BEFORE_DAYS = 30

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** @throws {SettingError} when TLS_CERT or TLS_KEY cannot be used. */
export const certificateFor = (config: Config): Promise<Certificate> =>
  config.tlsCert && config.tlsKey
    ? readOwnCertificate(config.tlsCert, config.tlsKey)
    : createLocalCertificate(config.dataDir, serverNamesOf(config))

/** Returns the path of the local authority's PEM file, and creates the authority when there is none. */
export async function authorityFile(dataDir: string): Promise<string> {
  await readOrCreateAuthority(tlsFolderOf(dataDir))
  return authorityPath(dataDir)
}

/** The path of the local authority's PEM file, whether or not there is one. */
export const authorityPath = (dataDir: string): string => join(tlsFolderOf(dataDir), 'authority.pem')

/** Names the authority by which others know this server; '' where they know it by a certificate of the owner's. */
export async function authorityFingerprint({ tlsCert, dataDir }: Config): Promise<string> {
  if (tlsCert) return ''
  const authority = await readPair(tlsFolderOf(dataDir), 'authority')
  return authority ? new X509Certificate(authority.certificate.toString('pem')).fingerprint256 : ''
}

async function readOwnCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const cert = await readSetting('TLS_CERT', certFile)
  const key = await readSetting('TLS_KEY', keyFile)
  const leaf = parsePem('TLS_CERT', certFile, 'a certificate', () => new X509Certificate(cert))
  const secret = parsePem('TLS_KEY', keyFile, 'a private key without a passphrase', () =>
    createPrivateKey(key),
  )
  if (!leaf.checkPrivateKey(secret))
    throw new SettingError('TLS_KEY', keyFile, `which is not the key of TLS_CERT "${certFile}".`)
  return { cert, key, local: false }
}

async function readSetting(name: 'TLS_CERT' | 'TLS_KEY', file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { allowed } = name === 'TLS_CERT' ? settings.tlsCert : settings.tlsKey
    const { code } = error as NodeJS.ErrnoException
    throw new SettingError(name, file, `which cannot be read (${code}): allowed is ${allowed}.`, error)
  }
}

function parsePem<Parsed>(name: string, file: string, kind: string, read: () => Parsed): Parsed {
  try {
    return read()
  } catch (error) {
    throw new SettingError(name, file, `which is not ${kind} in PEM form.`, error)
  }
}

const tlsFolderOf = (dataDir: string): string => join(dataDir, 'tls')

interface CertificatePair {
  readonly certificate: x509.X509Certificate
  readonly privateKey: CryptoKey
}

async function createLocalCertificate(dataDir: string, names: readonly string[]): Promise<Certificate> {
  const folder = tlsFolderOf(dataDir)
  const authority = await readOrCreateAuthority(folder)
  const stored = await readPair(folder, 'leaf')
  const leaf =
    stored && (await isStillValid(stored.certificate, authority.certificate, names))
      ? stored
      : await storePair(folder, 'leaf', await signLeaf(authority, names))
  const cert = leaf.certificate.toString('pem') + '\n' + authority.certificate.toString('pem') + '\n'
  return { cert, key: await keyToPem(leaf.privateKey), local: true }
}

async function isStillValid(
  leaf: x509.X509Certificate,
  authority: x509.X509Certificate,
  names: readonly string[],
): Promise<boolean> {
  const covered = leaf.getExtension(x509.SubjectAlternativeNameExtension)
  const hasSameNames =
    covered && Buffer.from(covered.rawData).equals(Buffer.from(alternativeNames(names).rawData))
  const isLongValid = leaf.notAfter.getTime() - Date.now() > RENEW_BEFORE_DAYS * DAY_MS
  return (
    Boolean(hasSameNames) && isLongValid && (await leaf.verify({ publicKey: authority, signatureOnly: true }))
  )
}

async function readOrCreateAuthority(folder: string): Promise<CertificatePair> {
  const stored = await readPair(folder, 'authority')
  const isLongValid = stored && stored.certificate.notAfter.getTime() - Date.now() > LEAF_DAYS * DAY_MS
  return isLongValid ? stored : storePair(folder, 'authority', await createAuthority())
}

async function createAuthority(): Promise<CertificatePair> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validityOf(AUTHORITY_DAYS),
    serialNumber: serialNumber(),
    name: [{ CN: [`Diptych local authority of ${hostname()}`] }],
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { certificate, privateKey: keys.privateKey }
}

async function signLeaf(authority: CertificatePair, names: readonly string[]): Promise<CertificatePair> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.create({
    ...validityOf(LEAF_DAYS),
    serialNumber: serialNumber(),
    subject: [{ CN: ['Diptych'] }],
    issuer: authority.certificate.subject,
    signingAlgorithm: algorithm,
    signingKey: authority.privateKey,
    publicKey: keys.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      alternativeNames(names),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(authority.certificate),
    ],
  })
  return { certificate, privateKey: keys.privateKey }
}

const alternativeNames = (names: readonly string[]): x509.SubjectAlternativeNameExtension =>
  new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
  )

/** Starts an hour ago, for devices whose clock is a little behind. */
const validityOf = (days: number): { notBefore: Date; notAfter: Date } => ({
  notBefore: new Date(Date.now() - 60 * 60 * 1000),
  notAfter: new Date(Date.now() + days * DAY_MS),
})

/** Has 127 bits: a serial number is positive. */
const serialNumber = (): string => {
  const bytes = crypto.getRandomValues(Buffer.alloc(16))
  bytes[0] = (bytes[0]! & 0x7f) | 0x40
  return bytes.toString('hex')
}

/** Returns null for a pair that is missing, damaged or does not match (a crash between two files): the caller replaces it. */
async function readPair(folder: string, name: string): Promise<CertificatePair | null> {
  try {
    const cert = await readFile(join(folder, `${name}.pem`), 'utf8')
    const key = await readFile(join(folder, `${name}-key.pem`), 'utf8')
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return null
    const pkcs8 = x509.PemConverter.decodeFirst(key)
    const privateKey = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign'])
    return { certificate: new x509.X509Certificate(cert), privateKey }
  } catch {
    return null
  }
}

async function storePair(folder: string, name: string, pair: CertificatePair): Promise<CertificatePair> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await replaceFile(join(folder, `${name}-key.pem`), await keyToPem(pair.privateKey), 0o600)
  await replaceFile(join(folder, `${name}.pem`), pair.certificate.toString('pem') + '\n', 0o644)
  return pair
}

async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  await rm(`${file}.new`, { force: true })
  await writeFile(`${file}.new`, text, { mode, flush: true })
  await rename(`${file}.new`, file)
}

const keyToPem = async (key: CryptoKey): Promise<string> =>
  x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY') + '\n'
