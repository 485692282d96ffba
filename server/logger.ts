/** The log: lines of JSON, in which no secret of an address or a header stands. */
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'

const REDACTED = '[redacted]'

/**
 * Share tokens and one-use tickets as addresses, subprotocols and headers carry them, wherever in a line they come: in a path, or in
 * the message of an error that somebody else wrote.
 */
const secretPattern =
  /([?&#](?:token|ticket)=|diptych\.token\.|\bBearer +|\b(?:__Host-|__Secure-)?diptych\.session_token=)[\w.~+/=%-]+/gi

/** For whatever else is written to standard error. */
export const redactSecrets = (line: string): string => line.replace(secretPattern, `$1${REDACTED}`)

/** @param destination By default standard error, synchronously: what a dying process says last is what matters. */
export const createLogger = (
  { logLevel }: Pick<Config, 'logLevel'>,
  destination: DestinationStream = pino.destination(2),
): Logger =>
  pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: pino.stdSerializers.err, cause: pino.stdSerializers.err },
      hooks: { streamWrite: redactSecrets },
    },
    destination,
  )
