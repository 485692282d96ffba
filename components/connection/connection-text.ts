import { connectionStrings } from '@/lib/strings/connection.ts'
import {
  shortTransportLabels,
  transportExplanations,
  transportLabels,
} from '@/lib/transports/transport-labels.ts'
import type { LinkInfo } from '@/lib/transports/transport.ts'
import type { LinkStatus, StableSyncStatus, TransportChoice } from '@/lib/sync/status.ts'
import { clockTime } from '@/components/ui/clock-time.ts'

const choiceNames: Record<TransportChoice, string> = {
  automatic: connectionStrings.automatic.name,
  ...transportLabels,
}

const choiceExplanations: Record<TransportChoice, string> = {
  automatic: connectionStrings.automatic.explanation,
  ...transportExplanations,
}

export const transportNameOf = (choice: TransportChoice): string => choiceNames[choice]

export const transportExplanation = (choice: TransportChoice): string => choiceExplanations[choice]

/** Says what Automatic does now and what it plans. */
export function automaticStateText(
  { link, choice, nextProbe }: StableSyncStatus,
  now: number,
): string | null {
  if (choice !== 'automatic' || link.state !== 'up') return null
  const { inUse, trying, tryingAt } = connectionStrings.automatic
  const current = transportNameOf(link.info.transport)
  if (!nextProbe) return inUse(current)
  const better = transportNameOf(nextProbe.transport)
  if (nextProbe.at <= now) return trying(current, better)
  return tryingAt(current, better, clockTime(wallClockDate(nextProbe.at)))
}

/** Converts `at`, ms since the page's start by a clock that nobody can set, into a date. */
export const wallClockDate = (at: number): Date => new Date(performance.timeOrigin + at)

const protocolNames: Record<string, string> = connectionStrings.protocols

export const protocolText = ({ protocol }: LinkInfo): string =>
  protocolNames[protocol] ?? (protocol || connectionStrings.unknownProtocol)

export const uploadText = ({ up }: LinkInfo): string => connectionStrings.uploads[up]

/** @param simulated The network simulator is on, and nobody should blame the network for its effects. */
export const linkSentence = (link: LinkStatus, simulated = false): string =>
  simulated ? connectionStrings.state.simulated(linkStateSentence(link)) : linkStateSentence(link)

const linkStateSentence = (link: LinkStatus): string =>
  link.state === 'up'
    ? connectionStrings.state.up(transportNameOf(link.info.transport))
    : connectionStrings.state[link.state]

/** Names the transport beside figures, while there is a link. */
export const transportLabel = (link: LinkStatus): string => {
  return link.state === 'up' ? shortTransportLabels[link.info.transport] : linkStateLabel(link)
}

/** One or two words for the header; the dialog says which transport it is. */
export const linkLabel = (link: LinkStatus, simulated = false): string =>
  simulated ? connectionStrings.dot.simulated(linkStateLabel(link)) : linkStateLabel(link)

const linkStateLabel = ({ state }: LinkStatus): string => connectionStrings.dot[state]
