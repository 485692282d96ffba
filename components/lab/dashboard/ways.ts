/** The two ways that a dashboard asks by, and what is found out about them. Knows no React. */
import type { OpenDesk } from '@/lib/client.ts'
import { FIGURE_REQUEST, type Figure, type FigureRequest } from '@/lib/protocol/lab.ts'
import { strings } from '@/lib/strings/lab.ts'
import { nameOf, versionOf } from '@/components/connection/words'
import type { WayUsed } from './result'

export type AskFigure = (asked: FigureRequest, signal: AbortSignal) => Promise<Figure>

export async function byRequest({ chart, seed }: FigureRequest, signal: AbortSignal): Promise<Figure> {
  const response = await fetch(`/api/lab/figures/${chart}?seed=${seed}`, { signal })
  if (response.ok) return (await response.json()) as Figure
  const body = (await response.json().catch(() => null)) as { error?: { message?: string } } | null
  throw new Error(body?.error?.message ?? strings.charts.refused(response.status))
}

export const bySession =
  (desk: Pick<OpenDesk, 'sendRequest'>): AskFigure =>
  async (asked, signal) =>
    (await desk.sendRequest(FIGURE_REQUEST, asked, signal)) as Figure

/** What a page's own requests go by, '' where the browser has not told: of the page itself it does not when that came out of a store. */
export function pageProtocol(): string {
  const entries = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
  const told = entries.find(isToldHere) as PerformanceResourceTiming | undefined
  return told?.nextHopProtocol ?? (location.protocol === 'http:' ? 'http/1.1' : '')
}

const isToldHere = (entry: PerformanceEntry): boolean =>
  entry instanceof PerformanceResourceTiming &&
  entry.nextHopProtocol !== '' &&
  new URL(entry.name).origin === location.origin

export const protocolName = (protocol: string): string =>
  versionOf({ transport: 'poll', protocol, up: 'frames' })

export function wayText({ way, transport, protocol, simulated }: WayUsed): string {
  const { requests, requestsBy, session, sessionBy } = strings.drawings
  if (way === 'requests') return protocol ? requestsBy(protocolName(protocol)) : requests
  if (!transport) return session
  const carried = sessionBy(nameOf(transport), protocolName(protocol))
  return simulated ? strings.simulated(carried) : carried
}
