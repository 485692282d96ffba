/** The two methods by which a dashboard requests figures, and what is known of them. Knows no React. */
import type { OpenDesk } from '@/lib/client.ts'
import { FIGURE_REQUEST, type Figure, type FigureRequest } from '@/lib/protocol/lab.ts'
import { labStrings } from '@/lib/strings/lab.ts'
import { errorMessageOf } from '@/components/error-message.ts'
import { transportNameOf, protocolText } from '@/components/connection/connection-text.ts'
import type { FigureMethod } from './dashboard-result.ts'

export type RequestFigure = (request: FigureRequest, signal: AbortSignal) => Promise<Figure>

export async function requestFigureByHttp(
  { chart, seed }: FigureRequest,
  signal: AbortSignal,
): Promise<Figure> {
  const response = await fetch(`/api/lab/figures/${chart}?seed=${seed}`, { signal })
  if (response.ok) return (await response.json()) as Figure
  throw new Error(await errorMessageOf(response, labStrings.charts.refused(response.status)))
}

export const requestFigureBySession =
  (desk: Pick<OpenDesk, 'sendRequest'>): RequestFigure =>
  async (request, signal) =>
    (await desk.sendRequest(FIGURE_REQUEST, request, signal)) as Figure

/**
 * The protocol of a page's own requests, '' if the browser does not say. For the page itself it does not say if the page came from a cache.
 */
export function pageProtocol(): string {
  const entries = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
  const reportedEntry = entries.find(isOwnOriginTiming) as PerformanceResourceTiming | undefined
  return reportedEntry?.nextHopProtocol ?? (location.protocol === 'http:' ? 'http/1.1' : '')
}

const isOwnOriginTiming = (entry: PerformanceEntry): boolean =>
  entry instanceof PerformanceResourceTiming &&
  entry.nextHopProtocol !== '' &&
  new URL(entry.name).origin === location.origin

export const protocolName = (protocol: string): string =>
  protocolText({ transport: 'poll', protocol, up: 'frames' })

export function methodText({ way, transport, protocol, simulated }: FigureMethod): string {
  const { requests, requestsBy, session, sessionBy } = labStrings.drawings
  if (way === 'requests') return protocol ? requestsBy(protocolName(protocol)) : requests
  if (!transport) return session
  const transportText = sessionBy(transportNameOf(transport), protocolName(protocol))
  return simulated ? labStrings.simulated(transportText) : transportText
}
