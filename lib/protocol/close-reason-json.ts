/** A close reason as JSON, for use outside messages: { number, detail?, retryAfterMs? }. */
import type { CloseReason } from './close.ts'
import { closeCodeOf, closeNumber } from './close.ts'

type ReasonDetails = Omit<CloseReason, 'code'>

export const reasonFields = (reason: CloseReason): Record<string, unknown> => ({
  number: closeNumber(reason.code),
  ...reasonDetailFields(reason),
})

/** An unknown number, or none, means `lost` (S9). */
export function readReasonFields({ number, ...fields }: Record<string, unknown>): CloseReason {
  return { code: closeCodeOf(typeof number === 'number' ? number : 0), ...readReasonDetails(fields) }
}

/** All fields but the code, which may be sent by other means. */
export const reasonDetailFields = ({ detail, retryAfterMs }: ReasonDetails): ReasonDetails => ({
  ...(detail && { detail }),
  ...(retryAfterMs !== undefined && { retryAfterMs }),
})

export function readReasonDetails({ detail, retryAfterMs }: Record<string, unknown>): ReasonDetails {
  return reasonDetailFields({
    ...(typeof detail === 'string' && { detail }),
    ...(typeof retryAfterMs === 'number' && retryAfterMs >= 0 && { retryAfterMs }),
  })
}
