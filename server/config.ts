/**
 * Reads the settings once, from the environment, and refuses those that do not fit together. This module reads no files and opens no
 * ports.
 */
import { isIPv6 } from 'node:net'
import { isLoopbackName } from './loopback-name.ts'
import { type Setting, settings } from './settings.ts'

/** A setting that cannot be used. The message is the one sentence its owner sees. */
export class SettingError extends Error {
  override readonly name = 'SettingError'

  /** @param problem Continues "NAME is "value"": `, which is not a port`. */
  constructor(setting: string, value: string, problem: string, cause?: unknown) {
    super(`${setting} is "${value}", ${problem}`, { cause })
  }
}

export type Config = {
  readonly [Key in keyof typeof settings]: Exclude<ReturnType<(typeof settings)[Key]['read']>, undefined>
}

export type Environment = Readonly<Record<string, string | undefined>>

/** @throws {SettingError} for the first setting that is not allowed. */
export function readConfig(environment: Environment): Config {
  const entries = Object.entries(settings).map(([key, definition]) => [
    key,
    readSetting<unknown>(definition, environment),
  ])
  const config = Object.fromEntries(entries) as Config
  checkCombinations(config)
  return Object.freeze(config)
}

/** Returns the variables that are named as limits are and that no limit reads, such as a mistyped one. */
export function findUnknownLimits(environment: Environment): string[] {
  const known = new Set<string>(Object.values(settings).map(({ name }) => name))
  return Object.keys(environment).filter((name) => name.startsWith('LIMIT_') && !known.has(name))
}

/** An empty variable counts as unset: that is how compose files and shells pass "nothing". */
function readSetting<Value>(definition: Setting<Value>, environment: Environment): Value {
  const text = environment[definition.name]?.trim() || definition.default
  const value = definition.read(text)
  if (value === undefined) throw notAllowedError(definition, text)
  return value
}

function checkCombinations({ port, httpsPort, tlsCert, tlsKey, ...config }: Config): void {
  if (tlsCert && !tlsKey) throw new SettingError('TLS_KEY', '', 'but TLS_CERT is set: set both or neither.')
  if (tlsKey && !tlsCert) throw new SettingError('TLS_CERT', '', 'but TLS_KEY is set: set both or neither.')
  if (port !== 0 && port === httpsPort)
    throw new SettingError('HTTPS_PORT', String(httpsPort), 'which is PORT as well: they must differ.')
  checkBucket(config)
  const { host, databaseUrl, redisUrl, nodeUrl } = config
  if (redisUrl && !databaseUrl)
    throw new SettingError('DATABASE_URL', '', 'but REDIS_URL is set: several servers share a PostgreSQL.')
  if (redisUrl && !nodeUrl && !isLoopbackName(isIPv6(host) ? `[${host}]` : host))
    throw new SettingError(
      'NODE_URL',
      '',
      `but REDIS_URL is set and HOST is ${host}: say where the other servers reach this one.`,
    )
}

function checkBucket({
  s3Bucket,
  s3AccessKeyId,
  s3SecretAccessKey,
  filesDir,
}: Pick<Config, 's3Bucket' | 's3AccessKeyId' | 's3SecretAccessKey' | 'filesDir'>): void {
  if (!s3Bucket) return
  if (!s3AccessKeyId) throw new SettingError('S3_ACCESS_KEY_ID', '', 'but S3_BUCKET is set: it needs a key.')
  if (!s3SecretAccessKey)
    throw new SettingError('S3_SECRET_ACCESS_KEY', '', 'but S3_BUCKET is set: it needs a key.')
  if (filesDir)
    throw new SettingError('FILES_DIR', filesDir, 'but S3_BUCKET is set: files are in one of them.')
}

const notAllowedError = ({ name, allowed, isSecret }: Setting<unknown>, text: string): SettingError =>
  new SettingError(name, isSecret ? '…' : text, `allowed is ${allowed}.`)
