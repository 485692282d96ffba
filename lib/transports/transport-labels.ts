import { strings } from '../strings/transports.ts'
import type { TransportId } from './transport.ts'

/** What people call them. */
export const transportLabels: Readonly<Record<TransportId, string>> = strings.names
