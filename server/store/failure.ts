/** Errors on their way through the thread boundary. */
import type { Failure } from './messages.ts'

export const describeFailure = (error: unknown): Failure => {
  if (!(error instanceof Error)) return { message: String(error) }
  const { message, errcode } = error as Error & { errcode?: number }
  return errcode === undefined ? { message } : { message, errcode }
}

/** As node:sqlite throws them. */
export const restoreFailure = ({ message, errcode }: Failure): Error =>
  Object.assign(new Error(message), errcode === undefined ? {} : { code: 'ERR_SQLITE_ERROR', errcode })
