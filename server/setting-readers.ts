/** Read the text of one setting each: undefined for what is not allowed, null for what is off or not set. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type NetworkTransportId, networkTransports } from '../lib/transports/descriptors.ts'
import { isNetwork } from './access/client-address.ts'
import { isLoopbackName } from './loopback-name.ts'
import type { Rate } from './rate-limit.ts'

const hostName = /^(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/i

export const readHost = (text: string): string | undefined => {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) || hostName.test(bare) ? bare : undefined
}

export const readPort = (text: string): number | undefined =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined

export const readFolder = (text: string): string | undefined =>
  text.includes('\0') ? undefined : resolve(text)

export const readFile = (text: string): string | null | undefined =>
  text === '' ? null : text.includes('\0') ? undefined : resolve(text)

/** Accepts also an address without a host, which then stands in the query: a folder with a Unix socket. */
export const readDatabaseUrl = (text: string): string | null | undefined => {
  if (text === '') return null
  const isPostgres = /^postgres(ql)?:\/\/[^/]*\/[^/?]+(\?|$)/.test(text)
  return isPostgres && URL.canParse(text.replace('@/', '@localhost/')) ? text : undefined
}

/** Accepts no further path or query, and of a path the number of a database. */
export const readRedisUrl = (text: string): string | null | undefined => {
  if (text === '') return null
  return /^rediss?:\/\/[^/?#]+(\/\d{0,5})?$/.test(text) && URL.canParse(text) ? text : undefined
}

/** Returns it without a slash at its end. */
export const readBucket = (text: string): string | null | undefined => {
  if (text === '') return null
  return /^https?:\/\/[^?#@\s]+$/.test(text) && URL.canParse(text) ? text.replace(/\/+$/, '') : undefined
}

export const readKey = (text: string): string | null | undefined =>
  text === '' ? null : /^[\x21-\x7e]{1,256}$/.test(text) ? text : undefined

/** Accepts scheme, host and port alone. */
export const readNodeUrl = (text: string): string | null | undefined => {
  if (text === '') return null
  const isBareOrigin = /^https?:\/\/[^/?#@]+\/?$/.test(text) && URL.canParse(text)
  return isBareOrigin ? new URL(text).origin : undefined
}

/** Accepts scheme, host and port alone. Http is allowed for this machine only: elsewhere it would only redirect. */
export const readOrigin = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isBareOrigin = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.hostname))
  return isBareOrigin && isSecure ? url.origin : undefined
}

const readList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

export const readOrigins = (text: string): readonly string[] | undefined => {
  const origins = readList(text).map(readOrigin)
  return origins.every((origin) => origin !== undefined) ? Object.freeze(origins) : undefined
}

export const readCollector = (text: string): string | null | undefined => {
  if (text === '') return null
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) && !url.search && !url.hash ? text : undefined
}

/** Long enough that nobody guesses it. */
export const readAdminToken = (text: string): string | null | undefined =>
  text === '' ? null : /^[\x21-\x7e]{16,256}$/.test(text) ? text : undefined

/** Returns the transports in the order of preference, whatever the order in the text. */
export const readTransports = (text: string): readonly NetworkTransportId[] | undefined => {
  const given = text.split(',').map((part) => part.trim())
  const offered = networkTransports.filter((name) => given.includes(name))
  return offered.length > 0 && given.every((part) => offered.some((name) => name === part))
    ? Object.freeze(offered)
    : undefined
}

export const readNetworks = (text: string): readonly string[] | undefined => {
  const networks = readList(text)
  return networks.every(isNetwork) ? Object.freeze(networks) : undefined
}

/** Returns null for `off`. */
export const readRate = (text: string): Rate | null | undefined => {
  if (text === 'off') return null
  const [, atOnce, perSecond] = /^(\d{1,7})\/(\d{1,7}(?:\.\d{1,6})?)$/.exec(text) ?? []
  const rate = { atOnce: Number(atOnce), perSecond: Number(perSecond) }
  return rate.atOnce > 0 && rate.perSecond > 0 ? Object.freeze(rate) : undefined
}

export const rateAllowed =
  'how many at once and how many a second after that, such as 500/5 or 10/0.1, both more than 0; off for no limit'

/** Returns null for `off`. */
export const readCount = (text: string): number | null | undefined =>
  text === 'off' ? null : /^\d{1,7}$/.test(text) && Number(text) > 0 ? Number(text) : undefined

export const countAllowed = 'a number from 1 to 9999999; off for no limit'

export const readDays = (text: string): number | null | undefined =>
  text === 'off' ? null : /^\d{1,5}$/.test(text) && Number(text) > 0 ? Number(text) : undefined

/** Returns bytes, and null for `off`. */
export const readMebibytes = (text: string): number | null | undefined =>
  text === 'off' ? null : /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) * 1024 * 1024 : undefined

export const mebibytesAllowed = 'a whole number of MiB from 1 to 999999999; off for none'

export const daysAllowed = 'a whole number of days from 1 to 99999; off to keep them for good'
