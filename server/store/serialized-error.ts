/** Passes errors across the thread boundary. */
import { AppendConflict } from './store.ts'
import type { SerializedError } from './worker-messages.ts'

export const serializeError = (error: unknown): SerializedError => {
  if (!(error instanceof Error)) return { message: String(error) }
  if (error instanceof AppendConflict) return { message: error.message, conflictingClients: error.clients }
  const { message, errcode } = error as Error & { errcode?: number }
  return errcode === undefined ? { message } : { message, errcode }
}

/** Rebuilds the error as node:sqlite throws it. */
export const deserializeError = ({ message, errcode }: SerializedError): Error =>
  Object.assign(new Error(message), errcode === undefined ? {} : { code: 'ERR_SQLITE_ERROR', errcode })
