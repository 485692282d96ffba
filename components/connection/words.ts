import { transportLabels } from '@/lib/transports/labels.ts'
import type { LinkInfo } from '@/lib/transports/transport.ts'
import type { LinkStatus, SteadyStatus, TransportChoice } from '@/lib/sync/status.ts'
import { clockTime } from '@/components/ui/clock-time.ts'

const names: Record<TransportChoice, string> = {
  automatic: 'Automatic',
  ...transportLabels,
}

const explanations: Record<TransportChoice, string> = {
  automatic: 'Takes the best that this network lets through, and moves on when it stops working.',
  websocket: 'One connection, both ways. Quickest, but some networks block it.',
  sse: 'A stream down and requests up, as plain web traffic. Passes where WebSocket is blocked.',
  stream: 'One long answer down and requests up. As quick as server-sent events, and a little leaner.',
  'long-poll': 'A request waits at the server until there is news. For networks that hold streams back.',
  poll: 'Asks again and again. The plainest way, and the slowest.',
  memory: 'Inside this page, for tests.',
}

export const nameOf = (choice: TransportChoice): string => names[choice]

export const explanationOf = (choice: TransportChoice): string => explanations[choice]

/** What Automatic does now, and means to do. */
export function automaticNow({ link, choice, nextProbe }: SteadyStatus, now: number): string | null {
  if (choice !== 'automatic' || link.state !== 'up') return null
  const inUse = `In use: ${nameOf(link.info.transport)}.`
  if (!nextProbe) return inUse
  const better = nameOf(nextProbe.transport)
  if (nextProbe.at <= now) return `${inUse} Trying ${better} again.`
  return `${inUse} ${better} is tried again at ${clockTime(timeOfDay(nextProbe.at))}.`
}

/** `at` counts from the page's start, by a clock that nobody can set. */
export const timeOfDay = (at: number): Date => new Date(performance.timeOrigin + at)

const versions: Record<string, string> = { h2: 'HTTP/2', 'http/1.1': 'HTTP/1.1', h3: 'HTTP/3' }

export const versionOf = ({ protocol }: LinkInfo): string =>
  versions[protocol] ?? (protocol || 'not told by the browser')

const ways: Record<LinkInfo['up'], string> = {
  frames: 'Frames on the same connection',
  'streamed body': 'One streamed request',
  'batched posts': 'Requests in batches',
}

export const upwardWay = ({ up }: LinkInfo): string => ways[up]

const sharers: Record<NonNullable<LinkInfo['sharedBy']>, string> = {
  'this window': 'By this window, for the others too',
  'another window': 'Through another window',
}

export const sharedWay = (by: NonNullable<LinkInfo['sharedBy']>): string => sharers[by]

/** @param simulated The network simulator is on: nobody shall take what follows from it for the network's fault. */
export const linkSentence = (link: LinkStatus, simulated = false): string =>
  simulated ? `${sentenceOf(link)}, over a simulated network` : sentenceOf(link)

function sentenceOf(link: LinkStatus): string {
  switch (link.state) {
    case 'connecting':
      return 'Connecting…'
    case 'up':
      return `Connected by ${nameOf(link.info.transport)}`
    case 'retrying':
      return 'Not connected, trying again'
    case 'stopped':
      return 'Disconnected'
  }
}

/** Beside figures: by which transport, while there is a link. */
export const transportLabel = (link: LinkStatus): string => {
  if (link.state !== 'up') return labelOf(link)
  const { transport } = link.info
  return transport === 'sse' ? 'SSE' : nameOf(transport)
}

/** A word or two for the header: which transport it is, the dialog says. */
export const linkLabel = (link: LinkStatus, simulated = false): string =>
  simulated ? `Simulated: ${labelOf(link)}` : labelOf(link)

function labelOf(link: LinkStatus): string {
  switch (link.state) {
    case 'connecting':
      return 'Connecting'
    case 'up':
      return 'Connected'
    case 'retrying':
      return 'Offline'
    case 'stopped':
      return 'Stopped'
  }
}
