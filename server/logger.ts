/** The log: lines of JSON that contain no secret of an address or a header. */
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'

const REDACTED = '[redacted]'

/**
 * Matches share tokens and one-use tickets as addresses, subprotocols and headers carry them, anywhere in a line: in a path, or in
 * the message of an error from elsewhere.
 */
const secretPattern =
  /([?&#](?:token|ticket)=|diptych\.token\.|\bBearer +|\b(?:__Host-|__Secure-)?diptych\.session_token=)[\w.~+/=%-]+/gi

/** For everything else that is written to standard error. */
export const redactSecrets = (line: string): string => line.replace(secretPattern, `$1${REDACTED}`)

/** @param destination The default is standard error, synchronously: the last lines of a dying process matter most. */
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
