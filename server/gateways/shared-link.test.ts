/** The contract of transports on a link that windows share; shared.long.test.ts has the other transports. */
import { sse } from '../../lib/transports/sse.ts'
import { describeSharedTransport } from './shared-link-harness.ts'

describeSharedTransport(sse)
