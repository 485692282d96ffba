/** What the openings of the transports share: the token as a header, and how an attempt fails. */
import { readRefusal } from '../protocol/http.ts'
import { strings } from '../strings/transports.ts'
import type { LinkTarget } from './transport.ts'
import { TransportError } from './transport.ts'

/** A1, A3: for clients without a cookie, never in a URL. */
export const bearerHeaders = ({ token }: LinkTarget): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

export const abortedOpening = (signal: AbortSignal): TransportError =>
  new TransportError({ code: 'done', detail: strings.details.openingGivenUp }, signal.reason)

/** An answer that is not the one hoped for. */
export async function refusalError(response: Response): Promise<TransportError> {
  const text = await response.text().catch(() => '')
  return new TransportError(readRefusal(response.status, text, response.headers.get('retry-after')))
}

/** Whatever an opening failed with, as what `open` may throw: browsers throw at what a page's policy forbids. */
export function openingError(error: unknown, signal: AbortSignal): TransportError {
  if (error instanceof TransportError) return error
  if (signal.aborted) return abortedOpening(signal)
  // All that a browser's fetch says of a request without an answer.
  const detail = error instanceof TypeError ? strings.details.noAnswerCame : String(error)
  return new TransportError({ code: 'refused', detail }, error)
}
