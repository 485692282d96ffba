/** What the transports share when they open a link: the token as a header, and the errors of a failed attempt. */
import { readRefusal } from '../protocol/http.ts'
import { transportsStrings } from '../strings/transports.ts'
import type { LinkTarget } from './transport.ts'
import { TransportError } from './transport.ts'

/** The token as a header, for clients without a cookie. It is never in a URL (A1, A3). */
export const bearerHeaders = ({ token }: LinkTarget): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

export const abortedOpening = (signal: AbortSignal): TransportError =>
  new TransportError({ code: 'done', detail: transportsStrings.details.openingGivenUp }, signal.reason)

/** The error for an answer that refuses the opening. */
export async function refusalError(response: Response): Promise<TransportError> {
  const text = await response.text().catch(() => '')
  return new TransportError(readRefusal(response.status, text, response.headers.get('retry-after')))
}

/** Turns any error of an opening into one that `open` may throw: browsers throw when a page's policy forbids a request. */
export function openingError(error: unknown, signal: AbortSignal): TransportError {
  if (error instanceof TransportError) return error
  if (signal.aborted) return abortedOpening(signal)
  // A browser's fetch throws nothing but a TypeError for a request without an answer.
  const detail = error instanceof TypeError ? transportsStrings.details.noAnswerCame : String(error)
  return new TransportError({ code: 'refused', detail }, error)
}
