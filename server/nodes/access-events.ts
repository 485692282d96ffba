/**
 * Tells the other nodes of what a node's access changes at once for open windows: the rights in a document, and a person's name and
 * colour. Where a message may have been lost, the rights of everybody are looked at again.
 */
import { isColourName } from '../../lib/protocol/palette.ts'
import { isRecord } from '../../lib/protocol/value-reader.ts'
import type { AccessService } from '../access/create-access.ts'
import type { ProfileUpdate } from '../access/profiles.ts'
import type { Fanout } from '../fanout/fanout.ts'

const TOPIC = 'access'
const MAX_BRIEF_NAMES = 20

type SharedAccess = Pick<AccessService, 'onChanged' | 'notifyChanged'> & {
  readonly profiles: Pick<AccessService['profiles'], 'onChanged' | 'notifyChanged'>
}

/** @param onInterrupted Looks at all rights again. @returns Ends it. */
export function shareAccessEvents(
  fanout: Fanout,
  access: SharedAccess,
  onInterrupted: () => void,
): () => void {
  let isReceiving = false
  const publish = (event: object, brief: object = event): void => {
    if (!isReceiving) fanout.publish(TOPIC, toMessage(event), toMessage(brief))
  }
  const receive = (message: Uint8Array): void => {
    const event = readEvent(message)
    isReceiving = true
    try {
      if (event?.document !== undefined) access.notifyChanged(event.document)
      if (event?.profile) access.profiles.notifyChanged(event.profile)
    } finally {
      isReceiving = false
    }
  }
  const subscription = fanout.subscribe(TOPIC, { onMessage: receive, onInterrupted })
  const unsubscribes = [
    // Each node finds a document's proposals itself.
    access.onChanged((document, ofOriginal) => ofOriginal || publish({ document })),
    access.profiles.onChanged((profile) => publish({ profile }, { profile: shortenProfile(profile) })),
    () => subscription.end(),
  ]
  return () => unsubscribes.forEach((unsubscribe) => unsubscribe())
}

const toMessage = (event: object): Uint8Array => Buffer.from(JSON.stringify(event))

/** Drops the oldest names: all of them, in letters of four bytes, are more than every medium carries. */
const shortenProfile = (profile: ProfileUpdate): ProfileUpdate => ({
  ...profile,
  formerNames: profile.formerNames.slice(-MAX_BRIEF_NAMES),
})

/** Null for what no node of this release sends. */
function readEvent(message: Uint8Array): { document?: string; profile?: ProfileUpdate } | null {
  try {
    const event: unknown = JSON.parse(Buffer.from(message).toString())
    if (!isRecord(event)) return null
    if (typeof event.document === 'string') return { document: event.document }
    return isRecord(event.profile) ? { profile: readProfile(event.profile) } : null
  } catch {
    return null
  }
}

const readProfile = ({ id, name, formerNames, colour }: Record<string, unknown>): ProfileUpdate => ({
  id: String(id),
  name: String(name),
  formerNames: Array.isArray(formerNames) ? formerNames.map(String) : [],
  colour: typeof colour === 'string' && isColourName(colour) ? colour : undefined,
})
