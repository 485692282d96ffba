import { strings } from '@/lib/strings/connection.ts'
import { strings as transports } from '@/lib/strings/transports.ts'
import { transportLabels } from '@/lib/transports/transport-labels.ts'
import type { LinkInfo } from '@/lib/transports/transport.ts'
import type { LinkStatus, StableSyncStatus, TransportChoice } from '@/lib/sync/status.ts'
import { clockTime } from '@/components/ui/clock-time.ts'

const names: Record<TransportChoice, string> = {
  automatic: strings.automatic.name,
  ...transportLabels,
}

const explanations: Record<TransportChoice, string> = {
  automatic: strings.automatic.explanation,
  ...transports.explanations,
}

export const nameOf = (choice: TransportChoice): string => names[choice]

export const explanationOf = (choice: TransportChoice): string => explanations[choice]

/** What Automatic does now, and means to do. */
export function automaticNow({ link, choice, nextProbe }: StableSyncStatus, now: number): string | null {
  if (choice !== 'automatic' || link.state !== 'up') return null
  const { inUse, trying, tryingAt } = strings.automatic
  const current = nameOf(link.info.transport)
  if (!nextProbe) return inUse(current)
  const better = nameOf(nextProbe.transport)
  if (nextProbe.at <= now) return trying(current, better)
  return tryingAt(current, better, clockTime(timeOfDay(nextProbe.at)))
}

/** `at` counts from the page's start, by a clock that nobody can set. */
export const timeOfDay = (at: number): Date => new Date(performance.timeOrigin + at)

const versions: Record<string, string> = strings.protocols

export const versionOf = ({ protocol }: LinkInfo): string =>
  versions[protocol] ?? (protocol || strings.unknownProtocol)

export const upwardWay = ({ up }: LinkInfo): string => strings.uploads[up]

export const sharedWay = (by: NonNullable<LinkInfo['sharedBy']>): string => strings.sharedBy[by]

/** @param simulated The network simulator is on: nobody shall take what follows from it for the network's fault. */
export const linkSentence = (link: LinkStatus, simulated = false): string =>
  simulated ? strings.state.simulated(sentenceOf(link)) : sentenceOf(link)

const sentenceOf = (link: LinkStatus): string =>
  link.state === 'up' ? strings.state.up(nameOf(link.info.transport)) : strings.state[link.state]

/** Beside figures: by which transport, while there is a link. */
export const transportLabel = (link: LinkStatus): string => {
  if (link.state !== 'up') return labelOf(link)
  const { transport } = link.info
  return transport === 'sse' ? transports.shortNames.sse : nameOf(transport)
}

/** A word or two for the header: which transport it is, the dialog says. */
export const linkLabel = (link: LinkStatus, simulated = false): string =>
  simulated ? strings.dot.simulated(labelOf(link)) : labelOf(link)

const labelOf = ({ state }: LinkStatus): string => strings.dot[state]
