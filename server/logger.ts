/** The log: lines of JSON that contain no secret of an address or a header, and no text of documents. */
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { readableLogLine } from './log-line.ts'

const REDACTED = '[redacted]'

/**
 * Matches share tokens and one-use tickets as addresses, subprotocols and headers carry them, anywhere in a line: in a path, or in
 * the message of an error from elsewhere.
 */
const secretPattern =
  /([?&#](?:token|ticket)=|diptych\.token\.|\bBearer +|\b(?:__Host-|__Secure-)?diptych\.session_token=|\bdiptych\.admin=)[\w.~+/=%-]+/gi

/** For everything else that is written to standard error. */
export const redactSecrets = (line: string): string => line.replace(secretPattern, `$1${REDACTED}`)

interface ErrorFields {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly code?: string
}

/**
 * What an error says, with its causes in message and stack. Other properties stay out: a database's error carries the row that it
 * refused, with a document's text in it.
 */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = pino.stdSerializers.err(error)
  const { code } = error as { code?: unknown }
  return { type, message, stack, ...(typeof code === 'string' && { code }) } satisfies ErrorFields
}

/** Synchronous: the last lines of a dying process matter most. */
const standardError = (): DestinationStream => {
  const destination = pino.destination(2)
  if (!process.stderr.isTTY) return destination
  return { write: (line) => void destination.write(readableLogLine(line)) }
}

/** @param destination By default standard error, in JSON; on a terminal in lines for people. */
export const createLogger = (
  { logLevel }: Pick<Config, 'logLevel'>,
  destination: DestinationStream = standardError(),
): Logger =>
  pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorFields, error: errorFields, cause: errorFields },
      hooks: { streamWrite: redactSecrets },
    },
    destination,
  )
