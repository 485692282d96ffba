import { strings } from '../strings/transports.ts'
import type { TransportId } from './transport.ts'

/** The transports' names on screen. */
export const transportLabels: Readonly<Record<TransportId, string>> = strings.names
